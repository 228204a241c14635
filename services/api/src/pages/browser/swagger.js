// Starts the interactive page. A token given under "Authorize" stays in this page's memory and goes out in the header.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#page',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  tryItOutEnabled: true,
  // Would send the document to a validator elsewhere.
  validatorUrl: null,
});
