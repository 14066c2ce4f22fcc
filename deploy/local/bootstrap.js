// Entry point of all npm scripts, for any Node from version 20. See README.md in this folder.
// Keep this file free of newer syntax and static imports: the version check must run first.
const MIN_VERSION = 20;
const major = Number(process.versions.node.split('.')[0]);
if (major < MIN_VERSION) {
  console.error(`Node ${MIN_VERSION} or later is needed to start; this is ${process.version} (${process.execPath}).`);
  process.exit(1);
}
const { main } = await import('./bootstrap/main.js');
process.exitCode = await main(process.argv.slice(2));
