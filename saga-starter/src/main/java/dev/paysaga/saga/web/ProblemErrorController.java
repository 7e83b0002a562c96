package dev.paysaga.saga.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/** What the servlet container hands over when a filter failed or sent a bare status: answered as a problem too. */
@Controller
final class ProblemErrorController implements ErrorController {

    private final ProblemWriter problems;

    ProblemErrorController(ProblemWriter problems) {
        this.problems = problems;
    }

    @RequestMapping("${spring.web.error.path:/error}")
    void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object thrown = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code ? code : 404;
        // With a status below 500 the container has judged by itself, as with a body that breaks its own framing.
        Problem problem = status >= 500 && thrown instanceof Throwable cause
                ? Problems.of(cause, request)
                : Problems.ofStatus(status, request);
        problems.write(problem, response);
    }
}
