// Has @parcel/watcher write snapshots, and print what happened since: node parcel_watcher_since.js MODULE version|remember|tell
// Standard input has [[FOLDER, SNAPSHOT], …] as JSON.
//
// MODULE is the installed package, or its compiled part alone, which is built without npm so (in a copy of
// https://github.com/parcel-bundler/watcher, beside one of https://github.com/nodejs/node-addon-api of version 7):
//
//   g++ -std=c++17 -O1 -shared -fPIC -DNAPI_DISABLE_CPP_EXCEPTIONS -DNODE_GYP_MODULE_NAME=watcher \
//     -DWATCHMAN -DINOTIFY -DBRUTE_FORCE -I/usr/include/node -I../node-addon-api \
//     src/*.cc src/watchman/*.cc src/shared/*.cc src/linux/*.cc src/unix/legacy.cc -o watcher.node -lpthread
//
// Then PARCEL_WATCHER=…/watcher.node. The version is that of a package.json beside it.

const fs = require("fs");
const path = require("path");

// The default would ask watchman where that is installed.
const options = () => ({backend: "brute-force"});

const verbs = {
  version: (watcher, module) => {
    const folder = path.dirname(require.resolve(module));
    const description = path.join(folder, "package.json");
    return fs.existsSync(description) ? JSON.parse(fs.readFileSync(description)).version : "of unknown version";
  },
  remember: async (watcher) => {
    for (const [folder, snapshot] of pairs()) await watcher.writeSnapshot(folder, snapshot, options());
    return "[]";
  },
  tell: async (watcher) => {
    const all = [];
    for (const [folder, snapshot] of pairs()) all.push(await watcher.getEventsSince(folder, snapshot, options()));
    return JSON.stringify(all);
  },
};

const pairs = () => JSON.parse(fs.readFileSync(0));

(async () => {
  const [module, verb] = process.argv.slice(2);
  console.log(await verbs[verb](require(module), module));
})();
