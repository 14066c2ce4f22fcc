import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { rolldown } from 'rolldown';
import type { BuiltPackage } from './build-package.ts';
import { toPublished } from './manifest.ts';

/** Sizes in bytes of one entry of a package, with all files of the package that it imports. */
export interface BundleSize {
  /** Path that users import, such as `@survey/webhooks/fetch`. */
  readonly name: string;
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles each entry of a built library for browsers, without other packages, and measures it. */
export async function measurePackage({ built, manifest }: BuiltPackage): Promise<readonly BundleSize[]> {
  const scripts = Object.entries(toPublished(manifest).exports ?? {}).filter(
    ([, target]) => typeof target === 'object',
  );
  return Promise.all(
    scripts.map(async ([path, target]) => {
      const file = join(built, (target as { default: string }).default);
      const code = await bundleForBrowsers(file);
      const { length } = await promisify(gzip)(code, { level: 9 });
      return { name: join(manifest.name, path), minified: Buffer.byteLength(code), gzipped: length };
    }),
  );
}

/**
 * Bundles a file with all that it imports.
 *
 * @param external imports to leave as they are; those of other packages by default
 */
export async function bundleForBrowsers(file: string, external: RegExp | [] = /^[^./]/): Promise<string> {
  const build = await rolldown({ input: file, platform: 'browser', external, logLevel: 'silent' });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true });
    return output[0].code;
  } finally {
    await build.close();
  }
}

/** Size of a tarball in bytes. */
export async function sizeOf(tarball: string): Promise<number> {
  return (await stat(tarball)).size;
}
