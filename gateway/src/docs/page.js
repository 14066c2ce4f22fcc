// Runs in the browser, after swagger-ui-bundle.js.
globalThis.SwaggerUIBundle({
  dom_id: '#docs',
  url: '/openapi.json',
  deepLinking: true,
  // All at once take their time, and are too many to look through.
  docExpansion: 'none',
  displayRequestDuration: true,
  filter: true,
  // Would ask a public server.
  validatorUrl: null,
});
