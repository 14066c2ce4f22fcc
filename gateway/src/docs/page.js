// Runs in the browser, after swagger-ui-bundle.js.
globalThis.SwaggerUIBundle({
  dom_id: '#docs',
  url: '/openapi.json',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  // Would ask a public server.
  validatorUrl: null,
});
