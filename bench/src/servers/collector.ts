// Takes what OpenTelemetry sends, and drops it: a collector that costs as little as can be.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
