import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ContainerRuntimeClient } from 'testcontainers';
import { exists } from '../process/files.ts';
import { UnavailableError } from './first-available.ts';
import type { InfraServer, PreparedOptions } from './infra.ts';

interface ContainerOptions {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Path of the data in the image. */
  readonly dataPath: string;
  /** The port is the same inside and outside, because both servers advertise their own address. */
  readonly infra: PreparedOptions;
  readonly ready: (signal: AbortSignal) => Promise<void>;
}

const READY_DEADLINE_MS = 120_000;

/**
 * Starts a container, which ends with this process (testcontainers has its own reaper). The data is in a named volume:
 * files in a mounted folder would belong to the image's user.
 */
export async function startContainer(options: ContainerOptions): Promise<InfraServer> {
  // Load testcontainers only here: it is large, and most starts do not use containers.
  const { GenericContainer, getContainerRuntimeClient } = await import('testcontainers');
  const runtime = await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new UnavailableError('no Docker engine is running', { cause });
  });
  const { infra } = options;
  const { port } = infra;

  // testcontainers has no option to bind a port to the loopback address only, so override this method.
  class LoopbackContainer extends GenericContainer {
    protected override async beforeContainerCreated(): Promise<void> {
      this.hostConfig.PortBindings = { [`${port}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(port) }] };
    }
  }

  await mkdir(dirname(infra.logFile), { recursive: true });
  const logFile = createWriteStream(infra.logFile, { flags: infra.appendLog ? 'a' : 'w' });
  const container = await new LoopbackContainer(options.image)
    .withExposedPorts({ container: port, host: port })
    .withCommand([...(options.command ?? [])])
    .withEnvironment({ ...options.environment })
    .withBindMounts([{ source: await prepareVolume(runtime, infra.dataDir), target: options.dataPath }])
    .withLogConsumer((stream) => stream.pipe(logFile))
    .start();
  const stop = async () => void (await container.stop({ timeout: 10_000 }));
  try {
    const deadline = AbortSignal.timeout(READY_DEADLINE_MS);
    await options.ready(infra.signal ? AbortSignal.any([deadline, infra.signal]) : deadline);
  } catch (error) {
    await stop();
    throw error;
  }
  const exited = runtime.container
    .getById(container.getId())
    .wait()
    .then(
      (end: { StatusCode: number }) => `exit code ${end.StatusCode}`,
      () => 'an unknown end',
    );
  return { port, exited, stop };
}

/** The volume belongs to the data folder. If the folder is new, as after --fresh, the volume is recreated. */
async function prepareVolume(runtime: ContainerRuntimeClient, dataDir: string): Promise<string> {
  const name = `survey-local-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const marker = join(dataDir, 'volume');
  if (!(await exists(marker))) {
    const { Volumes } = await runtime.container.dockerode.listVolumes({ filters: { name: [name] } });
    if (Volumes.length > 0) await runtime.container.dockerode.getVolume(name).remove();
    await mkdir(dataDir, { recursive: true });
    await writeFile(marker, `${name}\n`);
  }
  return name;
}
