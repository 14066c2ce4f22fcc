import { defineConfig } from 'vite';

export default defineConfig({
  // Path of the gateway that serves the app.
  base: '/s/',
  build: {
    // The Content-Security-Policy allows no inline scripts, styles or data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
