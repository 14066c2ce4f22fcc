// Runs in the browser, after swagger-ui-bundle.js.
globalThis.SwaggerUIBundle({
  dom_id: '#docs',
  url: '/openapi.json',
  deepLinking: true,
  // Expanding all operations is slow and hard to read.
  docExpansion: 'none',
  displayRequestDuration: true,
  filter: true,
  // The validator is a public server.
  validatorUrl: null,
});
