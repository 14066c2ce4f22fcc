// A process that builds one web app. Its argument is JSON of its options.
import { build } from 'vite';

export interface BuildOptions {
  readonly folder: string;
  /** Path of the gateway that serves the app. */
  readonly base: string;
  readonly outDir: string;
}

const { folder, base, outDir }: BuildOptions = JSON.parse(process.argv[2] ?? '');
await build({
  root: folder,
  base,
  configFile: false,
  // Hide warnings: they are only about directives for servers, in packages.
  logLevel: 'error',
  build: {
    outDir,
    emptyOutDir: true,
    // The Content-Security-Policy allows no inline scripts, styles or data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
