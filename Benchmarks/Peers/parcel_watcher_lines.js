// Watches a folder with @parcel/watcher, and prints a line of JSON for each thing it is told: node parcel_watcher_lines.js MODULE DIR
// See parcel_watcher_since.js for MODULE. Of the compiled part alone, subscribe wants the path, the function and the options.

const [watcher, folder] = process.argv.slice(2);
const print = (error, events) => {
  if (error) console.log(JSON.stringify(["error", String(error)]));
  for (const event of events ?? []) console.log(JSON.stringify([event.type, event.path]));
};
Promise.resolve(require(watcher).subscribe(folder, print, {backend: "inotify"})).then(() => console.log("ready: parcel-watcher"));
setInterval(() => {}, 3_600_000);
