// Answers the OTLP requests of the processes, and writes the path of each, such as `/v1/traces`.
import { createServer } from 'node:http';

createServer((request, response) => {
  request.resume().on('end', () => {
    process.stdout.write(`${request.url}\n`);
    response.setHeader('content-type', request.headers['content-type'] ?? 'application/json').end();
  });
}).listen(4318);
process.on('SIGTERM', () => process.exit(0));
