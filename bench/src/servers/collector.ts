// An OpenTelemetry collector that drops everything it receives.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
