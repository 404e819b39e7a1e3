-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- One of each: schema, bulk insert, joins, windows, full text, JSON, output modes, errors.
.mode box
create table part(id integer primary key, name text unique, price real, tags text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
insert into part select i, printf('part-%04d', i * 7919 % 1000), i * 1.25, json_array(i, i % 7) from n;
create index by_price on part(price);
select count(*), sum(price), min(name), max(name) from part;
select json_extract(tags, '$[1]') as class, count(*), round(avg(price), 3) from part group by class;
.mode list
select id, name, rank() over (partition by id % 5 order by price desc) r from part where id < 20;
create virtual table words using fts5(body);
insert into words select name || ' of class ' || (id % 7) from part;
select count(*) from words where words match 'class AND 3';
create trigger no_free before delete on part when old.price > 600 begin select raise(abort, 'dear'); end;
delete from part;
begin; delete from part where price < 100; select changes(); rollback;
select count(*) from part;
insert into part(name) values ('part-0001');
select * from nowhere;
.mode json
select * from part where price between 10 and 20;
explain query plan select * from part where price > 5 order by name;
pragma integrity_check;
.schema
.dump part
