Feature: Checkout

  Scenario: Enough money
    Given a card with 20 euros
    When I pay 5 euros
    Then 15 euros are left

  Scenario: A voucher
    Given a card with 20 euros
    When I hand in a voucher
    Then 20 euros are left
