# The sync service in a container, with `headwater` beside it. An example of its use: examples/compose.

# Not Alpine: the Node that the scripts bring along needs glibc.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# The npm package, and nothing else.
RUN npm run build && node scripts/bootstrap.mjs bundles/tarball && tar -xzf headwater-cli-*.tgz

FROM node:24-alpine
COPY --from=build /build/package /opt/headwater
RUN ln -s /opt/headwater/dist/cli.js /usr/local/bin/headwater \
  && mkdir /data && chown node:node /data
USER node
# Where an embedded storage belongs: storage: { type: embedded, path: /data }
WORKDIR /data
VOLUME /data
ENV NODE_ENV=production POWERSYNC_CONFIG_PATH=/config/service.yaml
EXPOSE 8080
# Asks for liveness, at the port of the service config.
HEALTHCHECK --interval=5s --timeout=1s --retries=15 CMD ["headwater", "probe"]
# Signals reach the service itself. From outside, a container cannot be reached at the loopback address.
ENTRYPOINT ["node", "/opt/headwater/dist/service.js", "--host", "0.0.0.0"]
CMD ["start", "-r", "unified"]
