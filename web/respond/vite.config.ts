import { defineConfig } from 'vite';

export default defineConfig({
  // Path of the gateway that serves the app.
  base: '/s/',
  build: {
    // Processes of other stacks may be reading the files of the last build. Names have a hash of the content.
    emptyOutDir: false,
    // The Content-Security-Policy allows no inline scripts, styles or data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
