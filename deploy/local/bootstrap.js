// The entry of every npm script: any Node from 20 on runs it. See README.md in this folder.
// Nothing but this check may stand before the version is known to be new enough.
const OLDEST = 20;
const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST) {
  console.error(`Node ${OLDEST} or later is needed to start; this is ${process.version} (${process.execPath}).`);
  process.exit(1);
}
const { main } = await import('./bootstrap/main.js');
process.exitCode = await main(process.argv.slice(2));
