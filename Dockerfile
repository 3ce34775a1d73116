# Two stages: the binary is static, so that the image needs nothing but it.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=development
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /hodor ./cmd/hodor \
	&& mkdir /data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /hodor /hodor
COPY --from=build --chown=nonroot:nonroot /data /data
USER nonroot
WORKDIR /data
VOLUME /data
ENV HODOR_DATABASE_PATH=/data/hodor.db HODOR_HTTP_LISTEN=:8080
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/hodor", "health"]
ENTRYPOINT ["/hodor"]
CMD ["serve"]
