package dev.paysaga.saga.idempotency;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** An answer that is kept back, whole, until what it says is committed. */
final class HeldResponse extends HttpServletResponseWrapper {

    /** Headers that say something about the result. All others belong to this one exchange and are not sent again. */
    private static final Set<String> STORED = Set.of(
            HttpHeaders.CONTENT_TYPE,
            HttpHeaders.CONTENT_LANGUAGE,
            HttpHeaders.LOCATION,
            HttpHeaders.ETAG,
            HttpHeaders.LAST_MODIFIED,
            HttpHeaders.LINK);

    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(512);
    private int status = SC_OK;
    private boolean error;
    private @Nullable PrintWriter writer;

    HeldResponse(HttpServletResponse response) {
        super(response);
    }

    /** What is stored of it. */
    Answer answer() {
        Map<String, String> stored = new LinkedHashMap<>();
        for (String name : STORED) {
            String value = getHeader(name);
            if (value != null) {
                stored.put(name, value);
            }
        }
        return new Answer(status, stored, bytes());
    }

    /** Lets it go. */
    void release() throws IOException {
        HttpServletResponse response = (HttpServletResponse) getResponse();
        if (error) {
            response.sendError(status);
            return;
        }
        response.setStatus(status);
        headers.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        byte[] bytes = bytes();
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private byte[] bytes() {
        if (writer != null) {
            writer.flush();
        }
        return body.toByteArray();
    }

    @Override
    public void setStatus(int status) {
        this.status = status;
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void sendError(int status) {
        this.status = status;
        this.error = true;
    }

    @Override
    public void sendError(int status, String message) {
        sendError(status);
    }

    @Override
    public void sendRedirect(String location) {
        sendRedirect(location, SC_FOUND, true);
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        setHeader(HttpHeaders.LOCATION, location);
        this.status = status;
        if (clearBuffer) {
            resetBuffer();
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        headers.remove(name);
        if (value != null) {
            addHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        headers.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public void setDateHeader(String name, long date) {
        HttpHeaders formatted = new HttpHeaders();
        formatted.setDate(name, date);
        setHeader(name, formatted.getFirst(name));
    }

    @Override
    public void addDateHeader(String name, long date) {
        setDateHeader(name, date);
    }

    @Override
    public boolean containsHeader(String name) {
        return headers.containsKey(name) || super.containsHeader(name);
    }

    @Override
    public @Nullable String getHeader(String name) {
        List<String> values = headers.get(name);
        return values == null ? super.getHeader(name) : values.getFirst();
    }

    @Override
    public Collection<String> getHeaders(String name) {
        List<String> values = headers.get(name);
        return values == null ? super.getHeaders(name) : List.copyOf(values);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return List.copyOf(headers.keySet());
    }

    /** The answer is the same for everyone who repeats the request, so it has no cookies. */
    @Override
    public void addCookie(Cookie cookie) {
        throw new IllegalStateException("an answer that is stored and sent again cannot set cookies");
    }

    @Override
    public void setContentType(@Nullable String type) {
        setHeader(HttpHeaders.CONTENT_TYPE, type);
    }

    @Override
    public @Nullable String getContentType() {
        return getHeader(HttpHeaders.CONTENT_TYPE);
    }

    /** Always UTF-8 (RFC 8259, 8.1). */
    @Override
    public void setCharacterEncoding(@Nullable String charset) {}

    @Override
    public String getCharacterEncoding() {
        return StandardCharsets.UTF_8.name();
    }

    /** Known when it is let go. */
    @Override
    public void setContentLength(int length) {}

    @Override
    public void setContentLengthLong(long length) {}

    @Override
    public ServletOutputStream getOutputStream() {
        return new ServletOutputStream() {
            @Override
            public void write(int b) {
                body.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                body.write(bytes, offset, length);
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new IllegalStateException("an answer that is stored is not written asynchronously");
            }
        };
    }

    @Override
    public PrintWriter getWriter() {
        if (writer == null) {
            writer = new PrintWriter(new OutputStreamWriter(body, StandardCharsets.UTF_8));
        }
        return writer;
    }

    @Override
    public void flushBuffer() {}

    @Override
    public boolean isCommitted() {
        return false;
    }

    @Override
    public void resetBuffer() {
        bytes();
        body.reset();
    }

    @Override
    public void reset() {
        resetBuffer();
        headers.clear();
        status = SC_OK;
        error = false;
    }
}
