-- What a person posts about a difference belongs to a work order, and to no order. Constraints that let in more than before
-- need not look at what is there.
alter table transfers
    add column work_order_id uuid,
    drop constraint transfers_kind_check,
    drop constraint transfers_check1,
    add constraint transfers_kind_check
        check (kind in ('DEPOSIT', 'HOLD', 'CAPTURE', 'VOID', 'REFUND', 'SUSPEND', 'PAY_OUT', 'RETURN', 'ADJUSTMENT'))
        not valid,
    add constraint transfers_belong_to_something
        check ((order_id is null) = (kind = 'DEPOSIT' or work_order_id is not null)) not valid,
    add constraint transfers_about_a_difference
        check (case when work_order_id is null then kind <> 'ADJUSTMENT'
                    else kind in ('ADJUSTMENT', 'PAY_OUT', 'RETURN') and refund_no is null end) not valid;

-- Money leaves suspense once for each question, whatever the question was about.
create unique index transfers_one_outcome_of_payment on transfers (order_id, refund_no) nulls not distinct
    where kind in ('REFUND', 'PAY_OUT', 'RETURN') and work_order_id is null;
drop index transfers_one_outcome;
create unique index transfers_one_adjustment on transfers (work_order_id) where kind = 'ADJUSTMENT';
create unique index transfers_one_outcome_of_difference on transfers (work_order_id)
    where work_order_id is not null and kind <> 'ADJUSTMENT';
