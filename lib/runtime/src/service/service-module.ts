import type { Worker } from '../flow/loop.ts';
import type { IndexSpecs } from '../mongo/ensure-indexes.ts';
import type { Implementation } from '../rpc/implementation.ts';

/** Work that must be stopped. Some work must also be started. */
type BackgroundWork = Pick<Worker, 'stop'> & Partial<Worker>;

/** The parts that a feature adds to its service. */
export interface ServiceModule {
  readonly handlers?: readonly Implementation[];
  /** By collection. Several modules may add indexes to the same collection. */
  readonly indexes?: IndexSpecs;
  readonly topics?: readonly string[];
  /** Changes stored data of earlier releases, whose processes may still run. Indexes exist already. Can be repeated. */
  readonly setup?: () => Promise<void>;
  /** Workers that look for work by themselves, such as consumers and relays. They stop first. */
  readonly stoppedFirst?: readonly BackgroundWork[];
  /** Workers that get work from calls. They stop when no call is running. */
  readonly stoppedLast?: readonly BackgroundWork[];
  /** Connections to other systems, closed when no call is running. */
  readonly connections?: readonly { close(): void }[];
}

/** Collects the modules of a service. `add` returns the `provides` of the module: the functions for other modules. */
export function createModules() {
  const all: ServiceModule[] = [];
  return {
    all: all as readonly ServiceModule[],
    add<M extends ServiceModule & { readonly provides?: unknown }>(module: M): M['provides'] {
      all.push(module);
      return module.provides;
    },
  };
}

export function mergeModules(modules: readonly ServiceModule[]): Required<ServiceModule> {
  const setups = modules.flatMap(({ setup = [] }) => setup);
  const indexes: Record<string, IndexSpecs[string]> = {};
  for (const module of modules)
    for (const [collection, specs] of Object.entries(module.indexes ?? {}))
      indexes[collection] = [...(indexes[collection] ?? []), ...specs];
  return {
    handlers: modules.flatMap(({ handlers = [] }) => handlers),
    indexes,
    async setup() {
      for (const setup of setups) await setup();
    },
    topics: [...new Set(modules.flatMap(({ topics = [] }) => topics))],
    stoppedFirst: modules.flatMap(({ stoppedFirst = [] }) => stoppedFirst),
    stoppedLast: modules.flatMap(({ stoppedLast = [] }) => stoppedLast),
    connections: modules.flatMap(({ connections = [] }) => connections),
  };
}
