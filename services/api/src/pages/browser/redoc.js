// Starts the reference page.
window.Redoc.init('openapi.json', { nativeScrollbars: true }, document.getElementById('page'));
