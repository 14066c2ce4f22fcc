// Commands to build images. They are run in the root of the repository.
import type { Command } from './command.ts';
import { DOCKERFILE, imageOf } from './names.ts';

interface BuildOptions {
  /**
   * Registry and path to push the image to, with its SBOM and provenance. If undefined, docker only loads the image on
   * this machine.
   */
  readonly pushTo?: string | undefined;
  /** Base image with Node 24 and npm. A release pins its digest. */
  readonly base?: string | undefined;
  readonly npmrc?: string | undefined;
  readonly network?: string | undefined;
}

/** Default of the base image, as in the Dockerfile. */
export const BASE = 'node:24-bookworm-slim';

/** The command that prints the digest of an image in its registry. */
export function inspectImage(image: string): Command {
  return { command: 'docker', args: ['buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}', image] };
}

/**
 * Throws an error that names the required Docker if its plugin buildx or a running engine is missing.
 *
 * @param capture runs a command and returns its output
 */
export async function requireDocker(capture: (step: Command) => Promise<string>): Promise<void> {
  const checks = [
    [['buildx', 'version'], 'its plugin buildx (Debian: docker-buildx)'],
    [['version', '--format', '{{.Server.Version}}'], 'a running engine'],
  ] as const;
  for (const [args, requirement] of checks) {
    await capture({ command: 'docker', args: [...args] }).catch((cause: unknown) => {
      throw new Error(`building images needs Docker 23 or later with BuildKit, and ${requirement}`, { cause });
    });
  }
}

/** Whether an image is named by its digest, so that its content cannot change. */
export function isPinned(image: string): boolean {
  return /@sha256:[0-9a-f]{64}$/.test(image);
}

/** The base image for commands that are only printed. `DIGEST` stands for the digest, which is not looked up. */
export function withDigestPlaceholder(base: string): string {
  return isPinned(base) ? base : `${base}@DIGEST`;
}

/**
 * The base image with its digest. If the name has no digest, looks up the current one in the registry.
 *
 * @param inspect runs a command and returns its output
 */
export async function pinBase(base: string, inspect: (step: Command) => Promise<string>): Promise<string> {
  if (isPinned(base)) return base;
  const pinned = `${base}@${(await inspect(inspectImage(base))).trim()}`;
  if (!isPinned(pinned)) throw new Error(`the registry returned no digest of ${base}`);
  return pinned;
}

/** The command that builds an image, or builds and pushes it. */
export function buildImage(name: string, tag: string, { base, npmrc, network, pushTo }: BuildOptions): Command {
  const image = `${imageOf(name)}:${tag}`;
  return {
    command: 'docker',
    env: { DOCKER_BUILDKIT: '1' },
    args: [
      ...(pushTo === undefined ? ['build'] : ['buildx', 'build', '--push', '--sbom=true', '--provenance=mode=max']),
      ...['--file', DOCKERFILE, '--build-arg', `SERVICE=${name}`],
      ...(base === undefined ? [] : ['--build-arg', `BASE=${base}`]),
      ...(npmrc === undefined ? [] : ['--secret', `id=npmrc,src=${npmrc}`]),
      ...(network === undefined ? [] : ['--network', network]),
      ...['--tag', pushTo === undefined ? image : `${pushTo}/${image}`, '.'],
    ],
  };
}
