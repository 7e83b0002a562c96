package dev.paysaga.saga.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses bodies over the limit: at once if {@code Content-Length} says so, else (chunked, or a length that lies) as
 * soon as more has been read. A service therefore never holds more of a request in memory than the limit.
 */
final class BodyLimitFilter extends OncePerRequestFilter {

    private final long limit;
    private final ProblemWriter problems;

    BodyLimitFilter(DataSize limit, ProblemWriter problems) {
        this.limit = limit.toBytes();
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > limit) {
            problems.write(tooLarge(), response);
            return;
        }
        chain.doFilter(new LimitedRequest(request), response);
    }

    private Problem tooLarge() {
        return Problem.of(
                HttpStatus.CONTENT_TOO_LARGE,
                "payload-too-large",
                "The body must not be larger than " + limit + " bytes.");
    }

    private final class LimitedRequest extends HttpServletRequestWrapper {

        private @Nullable ServletInputStream body;

        LimitedRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (body == null) {
                body = new LimitedStream(super.getInputStream());
            }
            return body;
        }

        /** JSON is UTF-8 (RFC 8259, 8.1), whatever the media type's charset parameter claims. */
        @Override
        public BufferedReader getReader() throws IOException {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
    }

    private final class LimitedStream extends ServletInputStream {

        private final ServletInputStream body;
        private long seen;

        LimitedStream(ServletInputStream body) {
            this.body = body;
        }

        @Override
        public int read() throws IOException {
            int next = body.read();
            if (next >= 0) {
                count(1);
            }
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = body.read(into, offset, length);
            if (read > 0) {
                count(read);
            }
            return read;
        }

        private void count(int read) {
            seen += read;
            if (seen > limit) {
                throw tooLarge();
            }
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(listener);
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }
}
