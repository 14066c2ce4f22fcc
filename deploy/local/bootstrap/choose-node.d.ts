export interface Machine {
  readonly version: string;
  readonly execPath: string;
  readonly platform: string;
  readonly arch: string;
  /** The folder node_modules. */
  readonly modules: string;
  readonly existsSync: (path: string) => boolean;
}

/** The path of the Node for everything; throws with what to install when there is none. */
export function chooseNode(machine: Machine): string;
