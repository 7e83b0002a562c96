package dev.paysaga.saga.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** What Tomcat refuses before any filter sees it, such as an address that is none: a problem, and not its HTML page. */
public final class ProblemErrorReportValve extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, Throwable thrown) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        HttpStatus known = HttpStatus.resolve(status);
        String title = known == null ? "Error" : known.getReasonPhrase();
        byte[] body = """
                {"type":"%s%s","title":"%s","status":%d,"detail":"The request could not be understood."}""".formatted(
                        Problem.TYPE_PREFIX, title.toLowerCase(Locale.ROOT).replace(' ', '-'), title, status)
                .getBytes(StandardCharsets.UTF_8);
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException callerIsGone) {
            getContainer().getLogger().debug("an error could not be reported", callerIsGone);
        }
    }
}
