import { createRequire } from 'node:module';

interface ClassPatch<T extends object> {
  readonly library: string;
  /** Path in the library of the module with the class. */
  readonly path: string;
  /** Name of the class in the module. By default, the module is the class. */
  readonly className?: string;
  /** Code that shows the fault, by method. */
  readonly faults: { readonly [Method in keyof T]?: string };
  /** Replaces methods. `prototype` has the used members of the class, for which the library has no types. */
  readonly replace: (prototype: T) => void;
}

const PATCHED = Symbol.for('survey.patched');

/**
 * Replaces methods of a class inside a library, once in a process. Throws if the class or a method is not as expected,
 * so that nobody updates the library without looking at the patch.
 */
export function patchClass<T extends object>({ library, path, className, faults, replace }: ClassPatch<T>): void {
  const hasChanged = () => new Error(`${library} has changed: see whether ${path} still needs the patch`);
  const exported = createRequire(import.meta.url)(`${library}/${path}`);
  const patched: unknown = className === undefined ? exported : exported[className];
  if (typeof patched !== 'function') throw hasChanged();
  const { prototype } = patched;
  if (Object.hasOwn(prototype, PATCHED)) return;
  for (const [method, code] of Object.entries(faults))
    if (!String(prototype[method]).includes(String(code))) throw hasChanged();
  replace(prototype);
  Object.defineProperty(prototype, PATCHED, { value: true });
}
