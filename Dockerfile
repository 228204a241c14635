# syntax=docker/dockerfile:1
# One image for every service. The command names the program: dist/api.mjs, dist/workers.mjs, dist/reports.mjs, dist/embedder.mjs …
# A digest or a mirror of yours: `--build-arg NODE_IMAGE=node@sha256:…`.
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE} AS build
RUN npm install --global pnpm@12.21.0
WORKDIR /app
COPY . .
# The first install has the tools that write the database client and bundle the programs; the second leaves only what the services
# run on.
RUN --mount=type=cache,target=/pnpm pnpm install --frozen-lockfile --store-dir /pnpm/store \
 && node scripts/build.mjs \
 && rm -rf node_modules packages/*/node_modules services/*/node_modules \
 && pnpm install --frozen-lockfile --prod --ignore-scripts --store-dir /pnpm/store \
      --filter-prod '{./services/*}...' --filter-prod '!@continuity/local' --filter-prod '!@continuity/embedded-postgres' \
 && node scripts/remove-foreign-binaries.ts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000
# glibc otherwise keeps freed memory in an arena for each thread: 15 MB of an idle process.
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /app ./
# By number, so that Kubernetes sees that it is not root. The service writes to /tmp alone.
USER 1000:1000
EXPOSE 8000
# A gateway answers on PORT, and a worker with LIVENESS_FILE touches that file. What does neither, such as the migration, turns it off.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["/app/scripts/healthcheck.mjs"]
ENTRYPOINT ["node"]
CMD ["dist/api.mjs"]
