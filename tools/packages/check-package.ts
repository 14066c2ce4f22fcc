import { readFile } from 'node:fs/promises';
import { checkPackage as checkTypes, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import type { BuiltPackage } from './build-package.ts';

/** Ways to resolve a package that ESM packages do not support: CommonJS, and resolvers without `exports`. */
const UNSUPPORTED = ['node10', 'node16-cjs'];

/**
 * Checks a package with publint, and its types with are-the-types-wrong. Throws an error that lists all findings,
 * including suggestions.
 */
export async function checkPackage({ built, manifest, tarball }: BuiltPackage): Promise<void> {
  const findings = [...(await lint(built)), ...(manifest.exports === undefined ? [] : await findWrongTypes(tarball))];
  if (findings.length > 0) throw new Error(`${manifest.name}:\n${findings.join('\n')}`);
}

async function lint(folder: string): Promise<readonly string[]> {
  const { messages, pkg = {} } = await publint({ pkgDir: folder, strict: true });
  return messages.map((message) => `${message.type}: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

async function findWrongTypes(tarball: string): Promise<readonly string[]> {
  const result = await checkTypes(createPackageFromTarballData(await readFile(tarball)));
  if (!result.types) return ['the package has no types'];
  const problems = result.problems.filter(
    (problem) => !('resolutionKind' in problem && UNSUPPORTED.includes(problem.resolutionKind)),
  );
  return problems.map((problem) => `are-the-types-wrong: ${JSON.stringify(problem)}`);
}
