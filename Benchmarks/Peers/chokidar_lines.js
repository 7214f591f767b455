// Watches a folder with chokidar, and prints a line of JSON for each thing it is told: node chokidar_lines.js MODULE DIR

const [watcher, folder] = process.argv.slice(2);
if (folder === undefined) {
  console.log(require(`${watcher}/package.json`).version);
} else {
  require(watcher)
    .watch(folder, {ignoreInitial: true})
    .on("ready", () => console.log("ready: chokidar"))
    .on("all", (event, path) => console.log(JSON.stringify([event, path])))
    .on("error", (error) => console.log(JSON.stringify(["error", String(error)])));
}
