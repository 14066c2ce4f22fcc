import { mkdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { repositoryRoot } from '@survey/local/stack/folder';
import { type BuiltPackage, buildPackage } from './build-package.ts';
import { checkPackage } from './check-package.ts';
import { measurePackage, sizeOf } from './measure-package.ts';
import { listPackages } from './published-packages.ts';

/**
 * Builds, packs and checks all packages, and prints their sizes.
 *
 * @param output folder for the packages and their tarballs
 * @param repositoryUrl for the published manifests
 */
export async function buildPackages(output: string, repositoryUrl?: string): Promise<readonly BuiltPackage[]> {
  await mkdir(output, { recursive: true });
  const packages: BuiltPackage[] = [];
  for (const source of await listPackages()) {
    const built = await buildPackage(source, output, repositoryUrl);
    await checkPackage(built);
    console.log(`${relative(repositoryRoot, built.tarball)} (${toKilobytes(await sizeOf(built.tarball))})`);
    for (const { name, minified, gzipped } of await measurePackage(built))
      console.log(`  ${name}: ${toKilobytes(minified)} minified, ${toKilobytes(gzipped)} gzipped`);
    packages.push(built);
  }
  return packages;
}

function toKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
