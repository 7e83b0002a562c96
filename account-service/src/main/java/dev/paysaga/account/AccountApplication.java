package dev.paysaga.account;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the account service. */
@SpringBootApplication(proxyBeanMethods = false)
final class AccountApplication {

    private AccountApplication() {}

    public static void main(String[] args) {
        SpringApplication.run(AccountApplication.class, args);
    }
}
