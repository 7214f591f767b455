//! Watches a folder with notify, and prints a line of tab-separated words for each thing it is told: what, tracker, and paths.

use notify::{event::Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::{env, io::Write, path::Path, sync::mpsc};

fn main() {
    let folder = env::args().nth(1).expect("a folder");
    let (sender, receiver) = mpsc::channel();
    let mut watcher = RecommendedWatcher::new(sender, notify::Config::default()).expect("a watcher");
    watcher.watch(Path::new(&folder), RecursiveMode::Recursive).expect("a folder that can be watched");
    let mut output = std::io::stdout();
    writeln!(output, "ready: notify").unwrap();
    for event in receiver {
        match event {
            Ok(event) => writeln!(output, "{}", line(&event)).unwrap(),
            Err(error) => writeln!(output, "error\t0\t{error}").unwrap(),
        }
        output.flush().unwrap();
    }
}

fn line(event: &Event) -> String {
    let kind = if event.need_rescan() { "Rescan".to_string() } else { format!("{:?}", event.kind) };
    let mut words = vec![kind, event.tracker().unwrap_or(0).to_string()];
    words.extend(event.paths.iter().map(|path| path.display().to_string()));
    words.join("\t")
}
