export interface Machine {
  readonly version: string;
  readonly execPath: string;
  readonly platform: string;
  readonly arch: string;
  /** Path of the folder node_modules. */
  readonly modules: string;
  readonly existsSync: (path: string) => boolean;
}

/** Returns the path of the Node to use. Throws an error that says what to install if there is none. */
export function chooseNode(machine: Machine): string;
