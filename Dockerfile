# One image for all services; SERVICE says which: order, inventory, account, notification or console.
#
#   docker build --build-arg SERVICE=order --tag paysaga/order .

ARG JRE=eclipse-temurin:25-jre
ARG MAVEN=maven:3-eclipse-temurin-25

# All of them at once: this stage is the same for each of them, so it is built once.
FROM ${MAVEN} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    mvn --batch-mode --quiet -Dquick --also-make package \
        --projects order-service,inventory-service,account-service,notification-service,ops-console

# Libraries change seldom, the application often: each becomes a layer of its own.
FROM build AS layers
ARG SERVICE
RUN java -Djarmode=tools -jar $(ls ${SERVICE}-service/target/*-boot.jar ops-${SERVICE}/target/*-boot.jar 2> /dev/null) \
        extract --layers --destination /layers --application-filename application.jar

FROM ${JRE}
ARG SERVICE
LABEL org.opencontainers.image.title="paysaga ${SERVICE}"
WORKDIR /app
COPY --from=layers /layers/dependencies/ ./
COPY --from=layers /layers/snapshot-dependencies/ ./
COPY --from=layers /layers/application/ ./

# No home, no shell, no name: a number is enough, and Kubernetes can see that it is not root's.
USER 10001:10001

# The same for every service, so that probes and port mappings are, too.
ENV SERVER_PORT=8080 MANAGEMENT_SERVER_PORT=9080
EXPOSE 8080 9080

# The base image has neither curl nor wget; bash can speak to a port itself.
HEALTHCHECK --interval=15s --start-interval=2s --start-period=240s --timeout=10s --retries=3 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/$MANAGEMENT_SERVER_PORT; printf 'GET /actuator/health/readiness HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3; read -r -t 8 _ status _ <&3; [ \"$status\" = 200 ]"]

# SIGTERM reaches the JVM itself; Spring finishes requests and batches within 20 s. Further options: JDK_JAVA_OPTIONS.
STOPSIGNAL SIGTERM
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=60", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-jar", "application.jar"]
