# The service: compiled, with the packages that it runs on, and nothing that builds.
# The place of each number that must agree with the service is held by test/architecture/deployment.test.ts.

FROM node:24-slim AS compiled
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY packages/absent packages/absent
COPY packages/client/package.json packages/client/package.json
COPY packages/dialects/package.json packages/dialects/package.json
COPY packages/language/package.json packages/language/package.json
COPY packages/pages/package.json packages/pages/package.json
COPY packages/safe-fetch/package.json packages/safe-fetch/package.json
COPY packages/sandbox/package.json packages/sandbox/package.json
RUN ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
COPY . .
RUN ["node", "scripts/build.js", "service"]

FROM node:24-slim AS packages
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY packages/absent packages/absent
# Optional are Nodes for other machines alone; the client is a package for callers.
RUN ["npm", "ci", "--omit=dev", "--omit=optional", "--workspaces=false", "--ignore-scripts", "--no-audit", "--no-fund"]

FROM node:24-slim
ENV NODE_ENV=production
# Beyond loopback callers need a token, or nothing is listened on: docs/access.md.
ENV WEB_GROUNDING_HOST=0.0.0.0
ENV WEB_GROUNDING_PORT=7420
ENV WEB_GROUNDING_DATA_DIR=/data/log
# For the embedded store; with DATABASE_URL nothing is written but /tmp.
RUN ["install", "--directory", "--owner=1000", "--group=1000", "--mode=0700", "/data"]
WORKDIR /app
COPY package.json LICENSE ./
COPY bin bin
COPY --from=packages /build/node_modules node_modules
COPY --from=compiled /build/dist dist
USER 1000:1000
EXPOSE 7420
VOLUME ["/data"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.WEB_GROUNDING_PORT + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/wg.js"]
CMD ["serve"]
