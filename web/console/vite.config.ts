import { defineConfig } from 'vite';

export default defineConfig({
  // Path of the gateway that serves the app.
  base: '/console/',
  build: {
    // The Content-Security-Policy allows no inline scripts, styles or data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Packages have directives for servers, such as "use client".
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
});
