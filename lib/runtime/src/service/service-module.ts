import type { Worker } from '../flow/worker.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import type { Implementation } from '../rpc/implementation.ts';

/** Work that has to be stopped, and may have to be started. */
type BackgroundWork = Pick<Worker, 'stop'> & Partial<Worker>;

/** The parts that a feature adds to its service. */
export interface ServiceModule {
  readonly handlers?: readonly Implementation[];
  /** By collection. Several modules may index the same one. */
  readonly indexes?: IndexSpecs;
  /** Topics that the service owns. */
  readonly topics?: readonly string[];
  /** Workers that take up work by themselves: they stop first. */
  readonly intake?: readonly BackgroundWork[];
  /** Workers that calls give work to: they stop when no call runs any more. */
  readonly workers?: readonly BackgroundWork[];
  /** Connections to other systems, closed when no call runs any more. */
  readonly connections?: readonly { close(): void }[];
}

/** Collects the modules of a service. `add` returns what a module offers to other modules. */
export function createModules() {
  const all: ServiceModule[] = [];
  return {
    all: all as readonly ServiceModule[],
    add<M extends ServiceModule & { readonly api?: unknown }>(module: M): M['api'] {
      all.push(module);
      return module.api;
    },
  };
}

/** One module with everything that the modules have. */
export function mergeModules(modules: readonly ServiceModule[]): Required<ServiceModule> {
  const indexes: Record<string, IndexSpecs[string]> = {};
  for (const module of modules)
    for (const [collection, specs] of Object.entries(module.indexes ?? {}))
      indexes[collection] = [...(indexes[collection] ?? []), ...specs];
  return {
    handlers: modules.flatMap(({ handlers = [] }) => handlers),
    indexes,
    topics: [...new Set(modules.flatMap(({ topics = [] }) => topics))],
    intake: modules.flatMap(({ intake = [] }) => intake),
    workers: modules.flatMap(({ workers = [] }) => workers),
    connections: modules.flatMap(({ connections = [] }) => connections),
  };
}
