---@meta
-- What scripts and specs may use, for editors with the Lua language server. Made by `callisto stubs`: do not edit.

-- Values ----------------------------------------------------------------------------------------------------------------

---A moment, UTC, to the millisecond. Moments compare; the difference of two is milliseconds.
---@class moment
---@operator sub(moment): number

---A number that a Lua number would round, or bytes. It compares with its like and prints itself.
---@class exact

---Clears a property.
---@type any
null = nil

---Ends the request with 400 and this message.
---@param text string
function reject(text) end

---Ends the request with 403 and this message.
---@param text string
function forbid(text) end

---@class library.datetime
---@overload fun(name: string): noun.datetime
datetime = {}

---The present moment.
---@return moment
function datetime.now() end

---A moment from ISO 8601, nil when it is none.
---@param text string
---@return moment?
function datetime.parse(text) end

---A moved moment, nil beyond the years 1 to 9999.
---@param moment moment
---@param days integer
---@param hours? integer
---@param minutes? integer
---@return moment?
function datetime.add(moment, days, hours, minutes) end

---The moment, later by the time from `from` to `to`.
---@param moment moment
---@param from moment
---@param to moment
---@return moment
function datetime.shift(moment, from, to) end

---The first moment by which so much working time has passed; nil beyond the years 1990 to 2099.
---@param moment moment
---@param amount { hours?: number, minutes?: number }
---@param calendar string the name of one of scripts/common/calendars
---@return moment?
function datetime.add_working(moment, amount, calendar) end

---Hours of working time, below 0 where `to` is earlier; nil beyond the years 1990 to 2099.
---@param from moment
---@param to moment
---@param calendar string
---@return number?
function datetime.working_between(from, to, calendar) end

---What the wall shows at that moment; weekday 1 is Monday.
---@param moment moment
---@param zone string an IANA name, such as "Europe/Vienna"
---@return { year: integer, month: integer, day: integer, hour: integer, minute: integer, second: integer, weekday: integer }
function datetime.in_zone(moment, zone) end

---When that hour, day, week, month or year began on the wall.
---@param moment moment
---@param unit "hour"|"day"|"week"|"month"|"year"
---@param zone string
---@return moment
function datetime.start_of(moment, unit, zone) end

---@class library.guid
guid = {}

---The GUID in its usual spelling, nil when it is none.
---@param text string
---@return string?
function guid.parse(text) end

---Unicode, as filters compare texts; the functions of `string` know ASCII alone. Also the noun of a property.
---@class library.text
---@overload fun(name: string): noun.text
text = {}

---@param text string
---@return string
function text.lower(text) end

---@param text string
---@return string
function text.upper(text) end

---What is equal but for its case has the same.
---@param text string
---@return string
function text.fold(text) end

---Without the white space around it.
---@param text string
---@return string
function text.trim(text) end

---The parts between the separators, empty ones too.
---@param text string
---@param separator string
---@return string[]
function text.split(text, separator) end

---@class library.json
json = {}

---@param value any
---@return string
function json.encode(value) end

---null is nil in an object, and `null` in a list.
---@param text string
---@return any
function json.decode(text) end

---Says of a table, an empty one too, that it is a list.
---@generic T
---@param table T[]
---@return T[]
function json.list(table) end

---@class library.log
log = {}

---A line in the server's log, with the place that wrote it; at most 20 of a call.
---@param ... any
function log.info(...) end

---@param ... any
function log.warn(...) end

---The frozen table that lib/hours.lua returns, below the entity's folder, its parents' or common's.
---@param name string such as "lib.hours"
---@return table<string, any>
function require(name) end
---In the hook `history`: the row of the hook before it, of a parent, of `common` or of an earlier folder; nil for no row.
---@return table?
function earlier() end

-- Records ---------------------------------------------------------------------------------------------------------------

---What every record has. The records of an entity have its properties beside these, and no others.
---@class record.base
---@field act fun(self: record.base, action: string, input?: table<string, any>) another action on the record, with all its conditions and hooks
---@field raise fun(self: record.base, event: string) an event: its name begins with a capital
---@field keep_secret fun(self: record.base, hash: any) the record's secret is from now on that of the request, of a parameter with secret = "new"
---@field make_secret fun(self: record.base, property: string) a new secret for a property with sealed = true; the client is told it this once

---A record of any entity. `---@param call record.call` tells the editor which; it then knows its properties, and marks others.
---@class record : record.base
---@field [string] any

---The record as the request found it; it cannot be written.
---@class before
---@field [string] any

---What the request gave for a parameter, nil where it gave nothing.
---@class input
---@field [string] any

---Which action it was, in `history`.
---@class action_info
---@field name string
---@field title string
---@field description string

-- Specs -----------------------------------------------------------------------------------------------------------------

---Names what its specs are about; may stand in another.
---@param name string
---@param body fun()
function describe(name, body) end

---One spec, which expects at least one thing.
---@param name string
---@param body fun(desk: spec.desk)
function it(name, body) end

---Comes before each spec of its describe and of those inside.
---@param body fun(desk: spec.desk)
function before_each(body) end

---@class spec.scenario
---@field [1] string the sentence
---@field request string such as "PUT call/{call}/close"
---@field status integer
---@field as? string a login, or "anonymous"
---@field given? table<string, table>
---@field headers? table<string, string>
---@field body? any
---@field expect? any
---@field absent? string[]
---@field events? string[]

---One request of the API as a table.
---@param options spec.scenario
function scenario(options) end

---@class spec.answer
---@field status integer
---@field headers table<string, string>
---@field body any

---A desk, as an account sees it. `desk:call { State = 2 }` makes a record as it is given, whatever the rules say.
---@class spec.desk
---@field me spec.record
---@field [string] fun(self: spec.desk, values?: table): spec.record
---@field create fun(self: spec.desk|string, ...: any): spec.record desk.create("call", { Title = "..." })
---@field find fun(self: spec.desk|string, ...: any): spec.record? desk.find("call", 7)
---@field search fun(self: spec.desk|string, ...: any): spec.record[] desk.search("call", "State == ?", 1, { orderby = "LoggedDate desc", top = 10 })
---@field first fun(self: spec.desk|string, ...: any): spec.record? desk.first("call", "State == ?", 1)
---@field count fun(self: spec.desk|string, ...: any): integer desk.count("call", "State == ?", 1)
---@field as fun(self: spec.desk, login: string, session_type?: string): spec.desk
---@field anonymous fun(self: spec.desk): spec.desk
---@field sign_in fun(self: spec.desk, claims: table<string, any>): spec.record by scripts/sign-in.lua
---@field now fun(self: spec.desk): moment
---@field at fun(self: spec.desk, moment: string|moment): spec.desk
---@field advance fun(self: spec.desk, span: string): spec.desk
---@field run_due fun(self: spec.desk): any
---@field events fun(self: spec.desk, record?: spec.record): string[]
---@field get fun(self: spec.desk, target: string, query?: table): spec.answer
---@field post fun(self: spec.desk, target: string, body?: any): spec.answer
---@field put fun(self: spec.desk, target: string, body?: any): spec.answer
---@field delete fun(self: spec.desk, target: string): spec.answer
---@field send fun(self: spec.desk, line: string, body?: any, headers?: table): spec.answer

---A record, read from the database each time. `call:take_ownership { ... }` does an action.
---@class spec.record
---@field [string] any
---@field act fun(self: spec.record, action: string, body?: table): spec.record
---@field as fun(self: spec.record, who: string|spec.desk, session_type?: string): spec.record
---@field history fun(self: spec.record): table[]
---@field offers fun(self: spec.record): string[]

---@class spec.walk
---@field without? string|string[]
---@field as? string|string[]
---@field where? string
---@field depth? integer

---@class spec.expectation
---@field never spec.expectation the contrary of the next word
---@field equals fun(self: spec.expectation, value: any): any
---@field is_true fun(self: spec.expectation): any
---@field is_false fun(self: spec.expectation): any
---@field is_nil fun(self: spec.expectation): any
---@field has fun(self: spec.expectation, part: table): any
---@field contains fun(self: spec.expectation, item: any): any
---@field matches fun(self: spec.expectation, pattern: string): any
---@field offers fun(self: spec.expectation, ...: string): any
---@field withholds fun(self: spec.expectation, ...: string): any
---@field refuses fun(self: spec.expectation, action: string, ...: any): any
---@field never_reaches fun(self: spec.expectation, state: string, options?: spec.walk): any
---@field raised fun(self: spec.expectation, ...: string): any
---@field satisfies fun(self: spec.expectation, filter: string): any
---@field fails fun(self: spec.expectation, text?: string): any

---@param subject any
---@return spec.expectation
function expect(subject) end

-- The words of definitions ---------------------------------------------------------------------------------------------

---@class options.action
---@field allowed? table<string, boolean|string>
---@field answers? string|(noun.text|noun.richtext|noun.integer|noun.long|noun.short|noun.float|noun.double|noun.decimal|noun.boolean|noun.datetime|noun.binary|noun.lookup)[]
---@field deleted? boolean
---@field description? string
---@field due? string
---@field from? string|string[]
---@field history? boolean
---@field mandatory? (noun.any_of|noun.text|noun.richtext|noun.integer|noun.long|noun.short|noun.float|noun.double|noun.decimal|noun.boolean|noun.datetime|noun.binary|noun.lookup|string)[]
---@field may_move_to? string|string[]
---@field moves_to? string
---@field offered? string
---@field optional? (noun.text|noun.richtext|noun.integer|noun.long|noun.short|noun.float|noun.double|noun.decimal|noun.boolean|noun.datetime|noun.binary|noun.lookup|string)[]
---@field raises? string|string[]
---@field run? fun(record: record, input: input, session: session): any
---@field supported? boolean
---@field title? string

---@class noun.action
---@overload fun(options: options.action): noun.action

---@param name string
---@return noun.action
function action(name) end

---@class options.add_to
---@field fields? (noun.field)[]
---@field indexes? (noun.index)[]
---@field properties? (noun.text|noun.richtext|noun.integer|noun.long|noun.short|noun.float|noun.double|noun.decimal|noun.boolean|noun.datetime|noun.binary|noun.lookup)[]

---@class options.add_to.action
---@field after? fun(record: record, input: input, session: session)
---@field allowed? table<string, boolean|string>
---@field before? fun(record: record, input: input, session: session)
---@field may_move_to? string|string[]
---@field needs? string[]
---@field offered? string
---@field optional? (noun.text|noun.richtext|noun.integer|noun.long|noun.short|noun.float|noun.double|noun.decimal|noun.boolean|noun.datetime|noun.binary|noun.lookup|string)[]
---@field raises? string|string[]

---@class options.add_to.augmenter
---@field after? fun(value: any, ...: any): any
---@field also? string
---@field needs? string[]
---@field only? string

---@class noun.add_to
---@overload fun(options: options.add_to|options.add_to.action|options.add_to.augmenter|(noun.state)[]): noun.add_to

---@param name string
---@return noun.add_to
function add_to(name) end

---@class noun.any_of
---@overload fun(options: (noun.text|noun.richtext|noun.integer|noun.long|noun.short|noun.float|noun.double|noun.decimal|noun.boolean|noun.datetime|noun.binary|noun.lookup|string)[]): noun.any_of

---@param name string
---@return noun.any_of
function any_of(name) end

---@class options.binary
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.binary
---@overload fun(options: options.binary): noun.binary

---@param name string
---@return noun.binary
function binary(name) end

---@class options.boolean
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.boolean
---@overload fun(options: options.boolean): noun.boolean

---@param name string
---@return noun.boolean
function boolean(name) end

---@class options.calendar
---@field description? string
---@field holidays? string[]
---@field hours table<string, string>
---@field zone string

---@class noun.calendar
---@overload fun(options: options.calendar): noun.calendar

---@param name string
---@return noun.calendar
function calendar(name) end

---@class options.common
---@field indexes? (noun.index)[]
---@field properties (noun.key|noun.text|noun.richtext|noun.integer|noun.long|noun.short|noun.float|noun.double|noun.decimal|noun.boolean|noun.datetime|noun.binary|noun.lookup)[]

---@class noun.common

---@param options options.common
---@return noun.common
function common(options) end

---@class options.condition
---@field description? string
---@field filter string

---@class noun.condition
---@overload fun(options: options.condition): noun.condition

---@param name string
---@return noun.condition
function condition(name) end

---@class options.datetime
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.datetime
---@overload fun(options: options.datetime): noun.datetime

---@class options.decimal
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.decimal
---@overload fun(options: options.decimal): noun.decimal

---@param name string
---@return noun.decimal
function decimal(name) end

---@class options.double
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.double
---@overload fun(options: options.double): noun.double

---@param name string
---@return noun.double
function double(name) end

---@class options.entity
---@field abstract? boolean
---@field attachments? boolean
---@field core_type? string
---@field deletable? boolean
---@field description? string
---@field display? string
---@field extends? string
---@field formerly? string|string[]
---@field history? boolean
---@field indexes? (noun.index)[]
---@field label? string
---@field partitioned? boolean
---@field properties? (noun.key|noun.text|noun.richtext|noun.integer|noun.long|noun.short|noun.float|noun.double|noun.decimal|noun.boolean|noun.datetime|noun.binary|noun.lookup)[]
---@field query_aliases? table<string, string>
---@field right? "Administration"|"Integration"
---@field status? "Alpha"|"Beta"|"GA"
---@field sub_resources? (noun.list)[]
---@field summary? string[]
---@field top_level? boolean
---@field writers? "Administration"|"Integration"

---@class noun.entity
---@overload fun(options: options.entity): noun.entity

---@param name string
---@return noun.entity
function entity(name) end

---@class options.extension
---@field description? string
---@field needs? string[]
---@field returns "Binary"|"Boolean"|"DateTime"|"Integer"|"Long"|"Float"|"Double"|"Decimal"|"Short"|"Text"|"RichText"|"Lookup"
---@field value? fun(record: table<string, any>, session: session): any
---@field values? fun(records: table<string, any>[], session: session): any[]

---@class noun.extension
---@overload fun(options: options.extension): noun.extension

---@param name string
---@return noun.extension
function extension(name) end

---@class options.field
---@field read? table<string, boolean|string>
---@field write? table<string, boolean|string>

---@class noun.field
---@overload fun(options: options.field): noun.field

---@param name string
---@return noun.field
function field(name) end

---@class options.float
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.float
---@overload fun(options: options.float): noun.float

---@param name string
---@return noun.float
function float(name) end

---@class options.func
---@field constant? boolean
---@field description? string
---@field parameters? (noun.key|noun.text|noun.richtext|noun.integer|noun.long|noun.short|noun.float|noun.double|noun.decimal|noun.boolean|noun.datetime|noun.binary|noun.lookup)[]
---@field returns "Binary"|"Boolean"|"DateTime"|"Integer"|"Long"|"Float"|"Double"|"Decimal"|"Short"|"Text"|"RichText"|"Lookup"
---@field value fun(...): any

---@class noun.func
---@overload fun(options: options.func): noun.func

---@param name string
---@return noun.func
function func(name) end

---@class options.hooks
---@field after_create? fun(record: record, before: before, session: session)
---@field after_delete? fun(record: record, before: before, session: session)
---@field after_restore? fun(record: record, before: before, session: session)
---@field after_update? fun(record: record, before: before, session: session)
---@field before_create? fun(record: record, before: before, session: session)
---@field before_delete? fun(record: record, before: before, session: session)
---@field before_restore? fun(record: record, before: before, session: session)
---@field before_update? fun(record: record, before: before, session: session)
---@field history? fun(record: record, before: before, action: action_info, input: input, session: session): table?
---@field replaces? boolean

---@class noun.hooks

---@param options options.hooks
---@return noun.hooks
function hooks(options) end

---@class options.index
---@field [integer] string
---@field covers? string[]
---@field where? string

---@class noun.index

---@param options options.index
---@return noun.index
function index(options) end

---@class options.integer
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.integer
---@overload fun(options: options.integer): noun.integer

---@param name string
---@return noun.integer
function integer(name) end

---@class options.key
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.key
---@overload fun(options: options.key): noun.key

---@param name string
---@return noun.key
function key(name) end

---@class noun.library
---@overload fun(options: table<string, any>): noun.library

---@param name string
---@return noun.library
function library(name) end

---@class options.list
---@field entity string
---@field link string
---@field type_link? string

---@class noun.list
---@overload fun(options: options.list): noun.list

---@param name string
---@return noun.list
function list(name) end

---@class options.long
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.long
---@overload fun(options: options.long): noun.long

---@param name string
---@return noun.long
function long(name) end

---@class options.lookup
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.lookup
---@overload fun(options: options.lookup): noun.lookup

---@param name string
---@return noun.lookup
function lookup(name) end

---@class options.resource
---@field attributes table<string, string>
---@field entity string
---@field group? string
---@field member? string
---@field members? string
---@field otherwise? table<string, string>

---@class noun.resource
---@overload fun(options: options.resource): noun.resource

---@param name string
---@return noun.resource
function resource(name) end

---@class options.richtext
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.richtext
---@overload fun(options: options.richtext): noun.richtext

---@param name string
---@return noun.richtext
function richtext(name) end

---@class noun.scim
---@overload fun(options: (noun.resource)[]): noun.scim

---@param name string
---@return noun.scim
function scim(name) end

---@class options.session_list
---@field entity string
---@field select string
---@field where string

---@class noun.session_list
---@overload fun(options: options.session_list): noun.session_list

---@param name string
---@return noun.session_list
function session_list(name) end

---@class options.short
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.short
---@overload fun(options: options.short): noun.short

---@param name string
---@return noun.short
function short(name) end

---@class options.sign_in
---@field claims? string[]
---@field description? string
---@field gives? string[]
---@field run function

---@class noun.sign_in
---@overload fun(options: options.sign_in): noun.sign_in

---@param name string
---@return noun.sign_in
function sign_in(name) end

---@class options.state
---@field description? string
---@field final? boolean
---@field formerly? string|string[]
---@field group? string|string[]
---@field imported? boolean
---@field initial? boolean
---@field value integer

---@class noun.state
---@overload fun(options: options.state): noun.state

---@param name string
---@return noun.state
function state(name) end

---@class noun.states
---@overload fun(options: (noun.state)[]): noun.states

---@param name string
---@return noun.states
function states(name) end

---@class options.text
---@field choices? string|string[]
---@field class? "Computed"
---@field default? string|number|boolean
---@field description? string
---@field display? string
---@field display_types? string[]
---@field entity? string
---@field formerly? string|string[]
---@field indexed? boolean
---@field internal? boolean
---@field length? integer
---@field list? boolean
---@field mirror? string
---@field no_search? boolean
---@field read? table<string, boolean|string>
---@field readonly? boolean
---@field required? boolean
---@field scale? integer
---@field sealed? boolean
---@field searchable? boolean
---@field secret? "new"|"current"|"sealed"
---@field stored? string[]
---@field uppercase? boolean
---@field write? table<string, boolean|string>

---@class noun.text
---@overload fun(options: options.text): noun.text

---@class options.token
---@field description? string
---@field returns "Binary"|"Boolean"|"DateTime"|"Integer"|"Long"|"Float"|"Double"|"Decimal"|"Short"|"Text"|"RichText"|"Lookup"
---@field value fun(session: session): any

---@class noun.token
---@overload fun(options: options.token): noun.token

---@param name string
---@return noun.token
function token(name) end

-- Entities -----------------------------------------------------------------------------------------------------------

---A decision, yes or no, that a request or a call waits for.
---@class record.approval : record.task
---@field act fun(self: record.approval, action: "create"|"update"|"delete"|"acknowledge"|"activate"|"approve"|"forward"|"reject"|"reopen"|"resume"|"skip"|"suspend"|"take-ownership"|"restore", input?: table<string, any>)
---@field Call? integer the key of a record of call. The call that waits for it; an approval has a request, a call, or both.
---@field Approver? integer the key of a record of person. Who is asked.
---@field Comment? string What the approver wrote with the decision.

---What the organisation owns or provides: services and configuration items in one list.
---@class record.asset : record.base
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field RecordType? string The final entity of this row.
---@field AssetRef? string The tag on the device or the code in the catalogue.
---@field Name? string What people call it.
---@field Description? string What it is and what it is for.
---@field Status? integer the key of a record of asset-status. Where it is in its life.
---@field Owner? integer the key of a record of person. Who answers for it.
---@field Organization? integer the key of a record of organization. Whose it is.
---@field Location? integer the key of a record of location. Where it stands, or is provided from.
---@field IsFrozen? boolean Nobody may change it until it is unfrozen.
---@field FormerStatus? integer the key of a record of asset-status. The last status of an asset in use; restore brings it back.

---Where an asset is in its life, from ordered to retired.
---@class record.asset_status : record.base
---@field act fun(self: record.asset_status, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field IsRetired? boolean Assets with it are out of use.

---A file that hangs on a record.
---@class record.attachment : record.base
---@field act fun(self: record.attachment, action: "restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string File name.
---@field FileSize? integer Its size in bytes.
---@field ContentType? string Its media type, such as image/png.
---@field BinaryData? exact The file's bytes, base64 in JSON; given only when selected.
---@field Description? string What it shows.
---@field UploadedBy? integer the key of a record of person. Who put it there.
---@field EntityType? string The kind of record that the file belongs to, such as incident.
---@field EntityRef? integer The Ref of the record that it hangs on.

---Anything a person brings to the service desk: the parent of incidents, problems and service requests.
---@class record.call : record.base
---@field act fun(self: record.call, action: "create"|"update"|"delete"|"acknowledge"|"add-note"|"close"|"defer"|"forward"|"lock"|"reopen"|"resolve"|"start-clock"|"stop-clock"|"submit"|"take-ownership"|"unlock"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field RecordType? string The final entity of this row.
---@field CallRef? string The reference that people quote on the telephone, such as INC-000042.
---@field Name? string A title that the desk gives it, for lists and boards.
---@field ShortDescription? string The matter in one line, as the caller would say it.
---@field Description? string The whole story in plain text.
---@field DescriptionHtml? string The story as it arrived by mail or portal, with its formatting and inline images.
---@field Type? integer the key of a record of call-type. What kind of matter it is, in the desk's own words.
---@field Service? integer the key of a record of service. The service that the caller misses or wants.
---@field ConfigurationItem? integer the key of a record of configuration-item. The device or component concerned.
---@field ConfigurationItemId? integer The key of ConfigurationItem as a plain number.
---@field State? integer the key of a record of call-state. The step of the call on its way from New to Closed.
---@field Status? integer the key of a record of call-status. The step within the state, such as 'Waiting for the supplier'.
---@field Priority? integer the key of a record of call-priority. How urgently it is worked on; follows from Impact and Urgency unless given.
---@field Impact? integer the key of a record of call-impact. How much of the organisation is affected.
---@field Urgency? integer the key of a record of call-urgency. How soon it does damage.
---@field Reason? integer the key of a record of call-reason. Why the call was resolved or closed.
---@field Solution? string What put it right.
---@field User? integer the key of a record of person. The person whom the call is for.
---@field UserId? integer The key of User as a plain number.
---@field Organization? integer the key of a record of organization. The caller's organisation.
---@field OrganizationId? integer The key of Organization as a plain number.
---@field Location? integer the key of a record of location. The place where somebody would have to go.
---@field Analyst? integer the key of a record of person. The analyst who works on it; forward and take-ownership change it.
---@field Group? integer the key of a record of group. The group that works on it; forward changes it.
---@field ReceivingGroup? integer the key of a record of group. On create: the group to forward the new call to.
---@field LoggedBy? integer the key of a record of person. Who put the call on record.
---@field LoggedDate? moment When the call was put on record.
---@field DueDate? moment When it should be closed. Follows from the priority unless given, and moves by the time that the clock was stopped.
---@field AcknowledgedDate? moment When its analyst or group first took note.
---@field ResolvedDate? moment When it was resolved; empty again after a reopen.
---@field ClosedDate? moment When it was closed; empty again after a reopen.
---@field SuspendUntil? moment The clock stands until then.
---@field ClockStopped? boolean Time does not count against DueDate at present.
---@field ClockStoppedDate? moment Since when the clock stands.
---@field Breached? boolean Known to be later than agreed; @SlmBreached also looks at the dates.
---@field LockedBy? integer the key of a record of person. Who is editing it at present and keeps others from changing it.
---@field LockedDate? moment When the lock was taken; it lasts 15 minutes.
---@field LastHistoryOrder? integer Order of the newest history row; join call-history with it to get the last entry.
---@field AttachmentCount? integer How many files hang on the call.
---@field IpkStatus? integer Plain number kept for clients that know it.
---@field IpkStream? integer Plain number kept for clients that know it.
---@field Number1? number Yours to use.
---@field Number2? number Yours to use.
---@field CustomString1? string Yours to use.
---@field CustomString2? string Yours to use.
---@field CustomString3? string Yours to use.
---@field CustomString4? string Yours to use.
---@field Checkbox1? boolean Yours to use.
---@field Checkbox2? boolean Yours to use.
---@field Time1? moment Yours to use.
---@field Time2? moment Yours to use.

---What happened to a call, one row for each action, oldest first by Order.
---@class record.call_history : record.base
---@field TicketId integer the key of a record of call. The call that the row belongs to.
---@field Order integer 1 for the first row of a call, and so on without a gap.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Action? string The action as its path names it, such as take-ownership.
---@field ActionTitle? string The action as people read it, such as Take ownership.
---@field Description? string What the analyst wrote, or what the action has to tell.
---@field Analyst? integer the key of a record of person. Who did it.
---@field Date? moment When it was done.
---@field FromState? integer the key of a record of call-state. The call's state before.
---@field ToState? integer the key of a record of call-state. The call's state after.
---@field IsPublic? boolean The caller may read it too.

---How much of the organisation a call affects. Impact and urgency together give the priority.
---@class record.call_impact : record.base
---@field act fun(self: record.call_impact, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Rank? integer 1 (everybody) to 3 (one person).
---@field IsDefault? boolean Calls get it when nothing else says which.

---How urgently a call is worked on, and the times that are promised for it.
---@class record.call_priority : record.base
---@field act fun(self: record.call_priority, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Rank? integer 1 is the most urgent.
---@field ResponseMinutes? integer Within how many minutes somebody takes note.
---@field ResolveMinutes? integer Within how many minutes such a call is settled; its DueDate follows from it.
---@field Calendar? string Whose working hours these minutes are, such as vienna; around the clock without one.
---@field IsDefault? boolean Calls get it when nothing else says which.

---Why calls are resolved or closed.
---@class record.call_reason : record.base
---@field act fun(self: record.call_reason, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Description? string When to choose it.

---The states that a call passes through; the call's actions rely on their numbers.
---@class record.call_state : record.base
---@field act fun(self: record.call_state, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people read.

---Finer steps within a state, which a desk chooses for itself.
---@class record.call_status : record.base
---@field act fun(self: record.call_status, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field IsDefault? boolean New calls begin with it.
---@field IsResolve? boolean Offered when a call is resolved.
---@field IsClose? boolean Offered when a call is closed.
---@field StopsClock? boolean The clock is stopped while a call has this status.

---What kinds of calls a desk tells apart.
---@class record.call_type : record.base
---@field act fun(self: record.call_type, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Description? string When to choose it.

---How soon a call does damage. Impact and urgency together give the priority.
---@class record.call_urgency : record.base
---@field act fun(self: record.call_urgency, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Rank? integer 1 (at once) to 3 (it can wait).
---@field IsDefault? boolean Calls get it when nothing else says which.

---A program that people sign in with, or that signs in for itself (an OAuth client).
---@class record.client : record.base
---@field act fun(self: record.client, action: "create"|"update"|"delete"|"set-secret"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field ClientId? string The client_id that it sends, letter for letter.
---@field Name? string What people who sign in are shown.
---@field Description? string What it is for and who looks after it.
---@field SessionType? string The sessions it may open: Any, User or Analyst.
---@field IsEnabled? boolean Whether it may be used at all.
---@field HasSecret? boolean Whether it must send a secret; `callisto client add --secret` sets the secret.
---@field Grants? string The grant types it may use, parted by blanks: authorization_code, password, client_credentials and refresh_token.
---@field RedirectUris? string Where the sign-in page may send people back to, parted by blanks.
---@field Role? integer the key of a record of role. The role whose partitions its sessions without a person see; none: no partition.

---A link between two assets, and which way a failure travels along it.
---@class record.cmdb_link : record.base
---@field act fun(self: record.cmdb_link, action: "create"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Type? integer the key of a record of cmdb-link-type. The kind of the link.
---@field Parent? integer the key of a record of asset. The asset that the link starts from.
---@field Child? integer the key of a record of asset. The asset that it leads to.
---@field Category? string The category of its type.
---@field ImpactDirection? string The direction in which a failure travels: ChildToParent, ParentToChild, Both or None.
---@field Weight? integer How much of a failure travels along the link, 0 to 100 per cent.
---@field Description? string What else there is to know.

---The kinds of links between assets.
---@class record.cmdb_link_type : record.base
---@field act fun(self: record.cmdb_link_type, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string Read from the parent to the child: 'runs on', 'depends on'.
---@field InverseName? string Read from the child to the parent: 'hosts', 'is needed by'.
---@field Category? string Physical, Logical or Organisational.

---A device, program or component of which services are built.
---@class record.configuration_item : record.asset
---@field act fun(self: record.configuration_item, action: "create"|"update"|"delete"|"clone"|"freeze"|"restore"|"retire"|"unfreeze", input?: table<string, any>)
---@field Type? integer the key of a record of configuration-item-type. What kind of item it is.
---@field SerialNumber? string As its maker engraved it.
---@field Manufacturer? string Who made it.
---@field Model? string What its maker calls it.
---@field Version? string Which release of it is in use.
---@field IpAddress? string IPv4 or IPv6 address.
---@field HostName? string Its name on the network.
---@field PurchaseDate? moment When it was bought.
---@field PurchaseCost? exact What it cost.
---@field WarrantyEnd? moment Until when its maker repairs it.
---@field User? integer the key of a record of person. Who works with it.

---The kinds of configuration items.
---@class record.configuration_item_type : record.base
---@field act fun(self: record.configuration_item_type, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Description? string What belongs to it.

---A team of analysts that calls, requests and tasks are forwarded to.
---@class record.group : record.base
---@field act fun(self: record.group, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Description? string What it looks after.
---@field Email? string The mailbox that all of its members read.
---@field ExternalId? string What the system that provisions the group calls it.
---@field Manager? integer the key of a record of person. Who answers for it.

---A person's membership in a group; one row for each person and group.
---@class record.group_member : record.base
---@field act fun(self: record.group_member, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Group? integer the key of a record of group. The group.
---@field Person? integer the key of a record of person. The person who belongs to it.
---@field IsLead? boolean This person hands out the work.

---Whom a subject of an identity provider is. A first sign-in by login name makes one; of a person with Administration an administrator does, here.
---@class record.identity_link : record.base
---@field act fun(self: record.identity_link, action: "create"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Person? integer the key of a record of person. Who signs in by it.
---@field Issuer? string The identity provider, letter for letter as the setting oidc.issuer names it.
---@field Subject? string The provider's own name of the person, its claim sub, letter for letter.

---An unplanned interruption of a service, or a loss of its quality.
---@class record.incident : record.call
---@field act fun(self: record.incident, action: "create"|"update"|"delete"|"acknowledge"|"add-note"|"close"|"defer"|"forward"|"lock"|"reopen"|"resolve"|"start-clock"|"stop-clock"|"submit"|"take-ownership"|"unlock"|"restore", input?: table<string, any>)
---@field MajorIncident? boolean Handled by the major-incident procedure.
---@field Workaround? string How people can go on working until it is fixed.
---@field AffectedUsers? integer How many people cannot work.

---An article that tells how something is done or put right.
---@class record.knowledge : record.base
---@field act fun(self: record.knowledge, action: "create"|"update"|"delete"|"moderate"|"publish"|"restore"|"retire"|"submit", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Title? string The question that it answers.
---@field Abstract? string The answer in two sentences.
---@field Solution? string The answer in full.
---@field Keywords? string Words that people look for, separated by commas.
---@field Service? integer the key of a record of service. The service that it is about.
---@field State? integer the key of a record of knowledge-state. Draft, in review, published or retired.
---@field Moderated? boolean An editor has been over it.
---@field Author? integer the key of a record of person. Who wrote it.
---@field ReviewDate? moment When somebody should check that it is still right.
---@field Views? integer|exact How often it was read.
---@field Rating? number What readers think of it, 1 to 5; empty while nobody has said.

---The states of a knowledge article, from draft to retired.
---@class record.knowledge_state : record.base
---@field act fun(self: record.knowledge_state, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people read.

---A place: a site, a building, a floor, a room.
---@class record.location : record.base
---@field act fun(self: record.location, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Parent? integer the key of a record of location. The larger place that it lies in.
---@field Address? string Street and number.
---@field City? string Town or city.
---@field PostCode? string Postal code, as that country writes it.
---@field Country? string Country.

---A company, authority or department that people belong to.
---@class record.organization : record.base
---@field act fun(self: record.organization, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Parent? integer the key of a record of organization. The organisation that it is part of.
---@field City? string Where it has its seat.
---@field Country? string The country of its seat.
---@field Phone? string Its switchboard.
---@field Website? string Its address on the web.

---A part of the organisation whose records only its own people see.
---@class record.partition : record.base
---@field act fun(self: record.partition, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Description? string Whose records it holds.

---Somebody who calls the desk, works at it, or both.
---@class record.person : record.base
---@field act fun(self: record.person, action: "create"|"update"|"delete"|"activate"|"deactivate"|"set-password"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field FirstName? string Given name.
---@field LastName? string Family name, or the only name.
---@field Name? string First and last name as people read them.
---@field LoginId? string The name to sign in with; stored in capitals.
---@field Email? string Mail address.
---@field ExternalId? string What the system that provisions the person calls it.
---@field Phone? string Telephone, as the person dials it.
---@field Organization? integer the key of a record of organization. Where the person works.
---@field OrganizationId? integer The key of Organization as a plain number.
---@field Location? integer the key of a record of location. Where the person sits.
---@field Manager? integer the key of a record of person. Who is asked when something needs an approval.
---@field Department? string Department.
---@field JobTitle? string What the person does.
---@field IsAnalyst? boolean May sign in with an Analyst session.
---@field IsUser? boolean May sign in with a User session.
---@field IsVip? boolean Calls of this person get more attention.
---@field IsActive? boolean Whoever is not active cannot sign in.
---@field IsLoggedIn? boolean Has a living session.
---@field Image? exact The avatar.
---@field LanguageCode? string Language as BCP 47 writes it, such as de or pt-BR.
---@field TimeZone? string IANA time zone, such as Europe/Vienna.
---@field LastLoginDate? moment When the person last signed in.

---A role of a person; one row for each person and role.
---@class record.person_role : record.base
---@field act fun(self: record.person_role, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Person? integer the key of a record of person. The person.
---@field Role? integer the key of a record of role. The role that the person has.

---The cause behind incidents that keep coming back.
---@class record.problem : record.call
---@field act fun(self: record.problem, action: "create"|"update"|"delete"|"acknowledge"|"add-note"|"close"|"defer"|"forward"|"lock"|"reopen"|"resolve"|"start-clock"|"stop-clock"|"submit"|"take-ownership"|"unlock"|"restore", input?: table<string, any>)
---@field KnownError? boolean The cause is understood, the cure is still to come.
---@field RootCause? string What lies beneath, once it is known.

---A change or delivery that takes several steps, perhaps after an approval.
---@class record.request : record.base
---@field act fun(self: record.request, action: "create"|"update"|"delete"|"acknowledge"|"add-note"|"authorize"|"cancel"|"complete"|"forward"|"reject"|"reopen"|"resume"|"submit"|"suspend"|"take-ownership"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Title? string What is wanted, in one line.
---@field Description? string What is wanted, why, and what to mind.
---@field Template? integer the key of a record of request-template. The template whose tasks the request was made with; fixed once it is handed in.
---@field State? integer the key of a record of request-state. The step of the request on its way.
---@field Priority? integer the key of a record of call-priority. How urgently it is worked on.
---@field User? integer the key of a record of person. The person whom it is for.
---@field UserId? integer The key of User as a plain number.
---@field Organization? integer the key of a record of organization. The organisation whom it is for.
---@field OrganizationId? integer The key of Organization as a plain number.
---@field Service? integer the key of a record of service. The service that it changes or delivers.
---@field Analyst? integer the key of a record of person. The analyst who sees it through.
---@field Group? integer the key of a record of group. The group that sees it through.
---@field DueDate? moment When it should be done.
---@field AcknowledgedDate? moment When its analyst or group first took note.
---@field SuspendUntil? moment Nothing happens before then.
---@field SubmittedDate? moment When it was handed in; its template is fixed from then on.
---@field NeedsAuthorization? boolean It waits, or waited, for an authorization: its template asked for one when it was handed in.
---@field AuthorizedDate? moment When somebody said yes.
---@field RejectedDate? moment When somebody said no; empty again once somebody says yes.
---@field ClosedDate? moment When it was completed, rejected or cancelled.
---@field ImplementationState? string How it ended: Implemented, Partly implemented or Not implemented.
---@field LastHistoryOrder? integer Order of the newest history row.

---What happened to a request, one row for each action, oldest first by Order.
---@class record.request_history : record.base
---@field Request integer the key of a record of request. The request that the row belongs to.
---@field Order integer 1 for the first row of a request, and so on without a gap.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Action? string The action as its path names it, such as forward.
---@field ActionTitle? string The action as people read it.
---@field Description? string What was written with it.
---@field Analyst? integer the key of a record of person. Who did it.
---@field Date? moment When it was done.
---@field FromState? integer the key of a record of request-state. The state before.
---@field ToState? integer the key of a record of request-state. The state after.

---The states that a request passes through; its actions rely on their numbers.
---@class record.request_state : record.base
---@field act fun(self: record.request_state, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people read.

---A recurring kind of request with the tasks that belong to it.
---@class record.request_template : record.base
---@field act fun(self: record.request_template, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people choose from the list.
---@field Description? string When to use it.
---@field NeedsAuthorization? boolean Its requests wait for an authorization before their tasks begin.
---@field Service? integer the key of a record of service. The service of its requests.
---@field Group? integer the key of a record of group. The group that sees its requests through.
---@field IsActive? boolean Offered for new requests.

---One task of a request template; requests get theirs in Order, each waiting for the one before.
---@class record.request_template_task : record.base
---@field act fun(self: record.request_template_task, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Template? integer the key of a record of request-template. The template that it belongs to.
---@field Order? integer 1 for the first task.
---@field Title? string What is to be done, in one line.
---@field Description? string How to do it.
---@field Group? integer the key of a record of group. The group that does it.
---@field IsApproval? boolean It becomes an approval instead of a task.

---What the people who have this role may do, and in which partitions.
---@class record.role : record.base
---@field act fun(self: record.role, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people call it.
---@field Rights? string Parted by blanks: Administration, Integration, or entity:work such as call:Update, *:Read.
---@field AllPartitions? boolean It opens every partition, also those made later.

---A partition that a role opens; one row for each role and partition.
---@class record.role_partition : record.base
---@field act fun(self: record.role_partition, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Role? integer the key of a record of role. The role.

---A script that failed: the newest thousand. Reference is what the answer of that request told its client.
---@class record.script_failure : record.base
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Reference? string As the answer told it.
---@field Date? moment When it failed.
---@field Entity? string Of the record at hand; empty for an augmenter.
---@field Action? string The action, the hook or, with @, the augmenter.
---@field Person? integer the key of a record of person. Who asked; empty where nobody signed in.
---@field File? string The script.
---@field Line? integer Of that file; empty where it is not known.
---@field Message? string What went wrong.
---@field Traceback? string Which calls led there.

---Something that the organisation provides to people, such as mail or payroll.
---@class record.service : record.asset
---@field act fun(self: record.service, action: "create"|"update"|"delete"|"clone"|"freeze"|"restore"|"retire"|"unfreeze", input?: table<string, any>)
---@field Category? string The shelf of the catalogue that it stands on.
---@field Criticality? integer 1 (life depends on it) to 5 (nice to have).
---@field SupportGroup? integer the key of a record of group. The group that looks after it.

---A wish for something that the desk provides: access, equipment, information.
---@class record.service_request : record.call
---@field act fun(self: record.service_request, action: "create"|"update"|"delete"|"acknowledge"|"add-note"|"close"|"defer"|"forward"|"lock"|"reopen"|"resolve"|"start-clock"|"stop-clock"|"submit"|"take-ownership"|"unlock"|"restore", input?: table<string, any>)
---@field NeededBy? moment The day on which the caller needs it.

---A sign-in that has not ended. It ends when its newest refresh token expires, by logout, or when it is deleted here.
---@class record.session : record.base
---@field act fun(self: record.session, action: "delete", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Person? integer the key of a record of person. Who signed in; empty for a program that signed in for itself.
---@field Client? integer the key of a record of client. The program that holds its tokens.
---@field SessionType? string User or Analyst.
---@field LastUsed? moment When a request last used it, to the minute.
---@field ExpiresDate? moment When it ends unless it is renewed.
---@field Address? string The network address that signed in.

---One step of a request, done by one analyst or group.
---@class record.task : record.base
---@field act fun(self: record.task, action: "create"|"update"|"delete"|"acknowledge"|"activate"|"complete"|"forward"|"reopen"|"resume"|"skip"|"suspend"|"take-ownership"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field RecordType? string The final entity of this row.
---@field Title? string What is to be done, in one line.
---@field Description? string How to do it.
---@field Request? integer the key of a record of request. The request that it is a step of; a task has one, an approval may have a call instead.
---@field Predecessor? integer the key of a record of task. The task that must be closed or skipped before this one begins.
---@field State? integer the key of a record of task-state. Where the task is on its way.
---@field Analyst? integer the key of a record of person. The analyst who does it.
---@field Group? integer the key of a record of group. The group that does it.
---@field DueDate? moment When it should be done.
---@field AcknowledgedDate? moment When its analyst or group first took note.
---@field SuspendUntil? moment Nothing happens before then.
---@field ActivatedDate? moment When it became the turn of this task.
---@field ClosedDate? moment When it was completed, decided or skipped.
---@field LastHistoryOrder? integer Order of the newest history row.

---What happened to a task, one row for each action, oldest first by Order.
---@class record.task_history : record.base
---@field Task integer the key of a record of task. The task that the row belongs to.
---@field Order integer 1 for the first row of a task, and so on without a gap.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Action? string The action as its path names it, such as forward.
---@field ActionTitle? string The action as people read it.
---@field Description? string What was written with it.
---@field Analyst? integer the key of a record of person. Who did it.
---@field Date? moment When it was done.
---@field FromState? integer the key of a record of task-state. The state before.
---@field ToState? integer the key of a record of task-state. The state after.

---The states of tasks and approvals; their actions rely on the numbers.
---@class record.task_state : record.base
---@field act fun(self: record.task_state, action: "create"|"update"|"delete"|"restore", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What people read.

---Somebody outside who is told of events: a url that gets a signed POST for each that concerns it.
---@class record.webhook : record.base
---@field act fun(self: record.webhook, action: "create"|"update"|"delete"|"hand-over"|"preview"|"redeliver-failed"|"rotate-secret"|"test", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Name? string What it is for, in a few words.
---@field PayloadUrl? string Where deliveries go: http or https.
---@field Secret? string Signs deliveries. Leave it out, and one is made and shown this once; libraries of Standard Webhooks want such a one, which begins with whsec_. Any other is taken as it is.
---@field PreviousSecret? string The secret before rotate-secret, which signs too until PreviousSecretUntil.
---@field PreviousSecretUntil? moment Until when deliveries are signed with the secret before, too.
---@field CoreEntityType? string The family of records: Call, CMDBItem, Knowledge, CMDBLink, Person, Request or Task.
---@field EntityType? string One entity of that family, such as incident; its children count too. Empty: all of them.
---@field Events? string All, or Individual: those of IndividualTriggers alone.
---@field IndividualTriggers? string Names of events, such as Created or Forwarded.
---@field PayloadSelect? string What of the record is sent, as $select spells it. Empty: every column.
---@field PayloadFilter? string Only records that satisfy this are told of, as $filter spells it. Empty: all.
---@field Active? boolean Whether anything is sent.
---@field Owner? integer the key of a record of person. By whose eyes records are told: what this person may not read at that moment is not sent.
---@field ExcludedClient? integer the key of a record of client. Changes that this client makes are not told: what it did it knows.
---@field Ordered? boolean Deliveries of one record wait for the one before, for an hour at most.
---@field AttachmentNameFilter? string Regular expressions parted by semicolons; files whose name matches one are sent. Empty: all.
---@field AttachmentSizeLimit? integer Largest file sent, in KiB; 0 or less: any.
---@field AttachmentCountLimit? integer Most files in one payload, the newest first; 0 or less: any number.
---@field Status? string P never sent, S the last delivery succeeded, R one is being retried, F failed for an hour.
---@field LastDeliveryDate? moment When a delivery was last attempted.

---One event on its way to one webhook: what was sent, what came back, what happens next.
---@class record.webhook_delivery : record.base
---@field act fun(self: record.webhook_delivery, action: "redeliver"|"retry", input?: table<string, any>)
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Webhook? integer the key of a record of webhook. Who is told.
---@field MessageId? string The webhook-id header: the same on every attempt and redelivery.
---@field Event? string What happened, such as Forwarded.
---@field CoreEntityType? string The record's family, such as Call.
---@field EntityType? string The record's final entity.
---@field EntityRef? integer The record's Ref.
---@field Status? string P pending, R retrying, S succeeded, F failed, C cancelled.
---@field Attempts? integer How often it was tried.
---@field FirstAttempt? moment When it was first tried.
---@field LastAttempt? moment When it was last tried.
---@field NextAttempt? moment When it is tried next; empty: never.
---@field Deadline? moment When trying ends.
---@field ResponseCode? integer The HTTP status that came back last.
---@field DurationMs? integer How long the last attempt took.
---@field Error? string Why the last attempt failed.
---@field Redelivery? boolean Sent again by an administrator.
---@field RedeliveryOf? integer the key of a record of webhook-delivery. Of which delivery it is one.
---@field Hops? integer How many deliveries, each the cause of the next, led to it.
---@field TraceParent? string The distributed trace of the request that led to it, as the header traceparent.
---@field TraceState? string And its tracestate.
---@field BodyRef? integer Where the body's bytes are kept.

---Which attachments a payload brought and which not: a row for each that had some to choose from.
---@class record.webhook_log : record.base
---@field Ref integer The record's number: unique within its entity and the entity's children, never used again.
---@field Id? string A GUID, the same in every copy of the data; use it to link foreign systems.
---@field CreatedDate? moment When the record came to be.
---@field CreatedBy? integer the key of a record of person. Who created it; empty for imported records.
---@field UpdatedDate? moment When anything in the record last changed.
---@field UpdatedBy? integer the key of a record of person. Who changed it last.
---@field Partition? integer the key of a record of partition. The part of the organisation that it belongs to; limits who sees it in partitioned entities.
---@field IsDeleted? boolean Deleted records stay stored; @IsDeleted finds them.
---@field RecordVersion? integer Grows with every change; ETag and If-Match compare it.
---@field Webhook? integer the key of a record of webhook. Whose payload it was.
---@field Date? moment When it was made.
---@field Delivery? integer the key of a record of webhook-delivery. The delivery that carries it.
---@field Included? string Files that were sent.
---@field Excluded? string Files that were not, each with the reason.

---lib/lists.lua
---@type table<string, any>
lists = {}

---lib/unique.lua
---@type table<string, any>
unique = {}

---Who asks.
---@class session
---@field id integer the Ref of the session
---@field user_id? integer the Ref of the person
---@field partitions? integer[] nil: all of them
---@field type "Analyst"|"User"
---@field may fun(self: session, right: "Administration"|"Integration"): boolean whether its roles have it
---@field person? record.person
---@field groups (integer)[]

---@class library.desk
desk = {}

---That record, nil when there is none; of a key with several parts all of them.
---@overload fun(entity: "approval", ...: any): record.approval?
---@overload fun(entity: "asset", ...: any): record.asset?
---@overload fun(entity: "asset-status", ...: any): record.asset_status?
---@overload fun(entity: "attachment", ...: any): record.attachment?
---@overload fun(entity: "call", ...: any): record.call?
---@overload fun(entity: "call-history", ...: any): record.call_history?
---@overload fun(entity: "call-impact", ...: any): record.call_impact?
---@overload fun(entity: "call-priority", ...: any): record.call_priority?
---@overload fun(entity: "call-reason", ...: any): record.call_reason?
---@overload fun(entity: "call-state", ...: any): record.call_state?
---@overload fun(entity: "call-status", ...: any): record.call_status?
---@overload fun(entity: "call-type", ...: any): record.call_type?
---@overload fun(entity: "call-urgency", ...: any): record.call_urgency?
---@overload fun(entity: "client", ...: any): record.client?
---@overload fun(entity: "cmdb-link", ...: any): record.cmdb_link?
---@overload fun(entity: "cmdb-link-type", ...: any): record.cmdb_link_type?
---@overload fun(entity: "configuration-item", ...: any): record.configuration_item?
---@overload fun(entity: "configuration-item-type", ...: any): record.configuration_item_type?
---@overload fun(entity: "group", ...: any): record.group?
---@overload fun(entity: "group-member", ...: any): record.group_member?
---@overload fun(entity: "identity-link", ...: any): record.identity_link?
---@overload fun(entity: "incident", ...: any): record.incident?
---@overload fun(entity: "knowledge", ...: any): record.knowledge?
---@overload fun(entity: "knowledge-state", ...: any): record.knowledge_state?
---@overload fun(entity: "location", ...: any): record.location?
---@overload fun(entity: "organization", ...: any): record.organization?
---@overload fun(entity: "partition", ...: any): record.partition?
---@overload fun(entity: "person", ...: any): record.person?
---@overload fun(entity: "person-role", ...: any): record.person_role?
---@overload fun(entity: "problem", ...: any): record.problem?
---@overload fun(entity: "request", ...: any): record.request?
---@overload fun(entity: "request-history", ...: any): record.request_history?
---@overload fun(entity: "request-state", ...: any): record.request_state?
---@overload fun(entity: "request-template", ...: any): record.request_template?
---@overload fun(entity: "request-template-task", ...: any): record.request_template_task?
---@overload fun(entity: "role", ...: any): record.role?
---@overload fun(entity: "role-partition", ...: any): record.role_partition?
---@overload fun(entity: "script-failure", ...: any): record.script_failure?
---@overload fun(entity: "service", ...: any): record.service?
---@overload fun(entity: "service-request", ...: any): record.service_request?
---@overload fun(entity: "session", ...: any): record.session?
---@overload fun(entity: "task", ...: any): record.task?
---@overload fun(entity: "task-history", ...: any): record.task_history?
---@overload fun(entity: "task-state", ...: any): record.task_state?
---@overload fun(entity: "webhook", ...: any): record.webhook?
---@overload fun(entity: "webhook-delivery", ...: any): record.webhook_delivery?
---@overload fun(entity: "webhook-log", ...: any): record.webhook_log?
---@param entity string
---@param ... any
---@return record?
function desk.find(entity, ...) end

---The records that satisfy the filter, whose '?' stand for the values behind it; then { orderby = , top = }.
---@overload fun(entity: "approval", filter: string|table<string, any>, ...: any): record.approval[]
---@overload fun(entity: "asset", filter: string|table<string, any>, ...: any): record.asset[]
---@overload fun(entity: "asset-status", filter: string|table<string, any>, ...: any): record.asset_status[]
---@overload fun(entity: "attachment", filter: string|table<string, any>, ...: any): record.attachment[]
---@overload fun(entity: "call", filter: string|table<string, any>, ...: any): record.call[]
---@overload fun(entity: "call-history", filter: string|table<string, any>, ...: any): record.call_history[]
---@overload fun(entity: "call-impact", filter: string|table<string, any>, ...: any): record.call_impact[]
---@overload fun(entity: "call-priority", filter: string|table<string, any>, ...: any): record.call_priority[]
---@overload fun(entity: "call-reason", filter: string|table<string, any>, ...: any): record.call_reason[]
---@overload fun(entity: "call-state", filter: string|table<string, any>, ...: any): record.call_state[]
---@overload fun(entity: "call-status", filter: string|table<string, any>, ...: any): record.call_status[]
---@overload fun(entity: "call-type", filter: string|table<string, any>, ...: any): record.call_type[]
---@overload fun(entity: "call-urgency", filter: string|table<string, any>, ...: any): record.call_urgency[]
---@overload fun(entity: "client", filter: string|table<string, any>, ...: any): record.client[]
---@overload fun(entity: "cmdb-link", filter: string|table<string, any>, ...: any): record.cmdb_link[]
---@overload fun(entity: "cmdb-link-type", filter: string|table<string, any>, ...: any): record.cmdb_link_type[]
---@overload fun(entity: "configuration-item", filter: string|table<string, any>, ...: any): record.configuration_item[]
---@overload fun(entity: "configuration-item-type", filter: string|table<string, any>, ...: any): record.configuration_item_type[]
---@overload fun(entity: "group", filter: string|table<string, any>, ...: any): record.group[]
---@overload fun(entity: "group-member", filter: string|table<string, any>, ...: any): record.group_member[]
---@overload fun(entity: "identity-link", filter: string|table<string, any>, ...: any): record.identity_link[]
---@overload fun(entity: "incident", filter: string|table<string, any>, ...: any): record.incident[]
---@overload fun(entity: "knowledge", filter: string|table<string, any>, ...: any): record.knowledge[]
---@overload fun(entity: "knowledge-state", filter: string|table<string, any>, ...: any): record.knowledge_state[]
---@overload fun(entity: "location", filter: string|table<string, any>, ...: any): record.location[]
---@overload fun(entity: "organization", filter: string|table<string, any>, ...: any): record.organization[]
---@overload fun(entity: "partition", filter: string|table<string, any>, ...: any): record.partition[]
---@overload fun(entity: "person", filter: string|table<string, any>, ...: any): record.person[]
---@overload fun(entity: "person-role", filter: string|table<string, any>, ...: any): record.person_role[]
---@overload fun(entity: "problem", filter: string|table<string, any>, ...: any): record.problem[]
---@overload fun(entity: "request", filter: string|table<string, any>, ...: any): record.request[]
---@overload fun(entity: "request-history", filter: string|table<string, any>, ...: any): record.request_history[]
---@overload fun(entity: "request-state", filter: string|table<string, any>, ...: any): record.request_state[]
---@overload fun(entity: "request-template", filter: string|table<string, any>, ...: any): record.request_template[]
---@overload fun(entity: "request-template-task", filter: string|table<string, any>, ...: any): record.request_template_task[]
---@overload fun(entity: "role", filter: string|table<string, any>, ...: any): record.role[]
---@overload fun(entity: "role-partition", filter: string|table<string, any>, ...: any): record.role_partition[]
---@overload fun(entity: "script-failure", filter: string|table<string, any>, ...: any): record.script_failure[]
---@overload fun(entity: "service", filter: string|table<string, any>, ...: any): record.service[]
---@overload fun(entity: "service-request", filter: string|table<string, any>, ...: any): record.service_request[]
---@overload fun(entity: "session", filter: string|table<string, any>, ...: any): record.session[]
---@overload fun(entity: "task", filter: string|table<string, any>, ...: any): record.task[]
---@overload fun(entity: "task-history", filter: string|table<string, any>, ...: any): record.task_history[]
---@overload fun(entity: "task-state", filter: string|table<string, any>, ...: any): record.task_state[]
---@overload fun(entity: "webhook", filter: string|table<string, any>, ...: any): record.webhook[]
---@overload fun(entity: "webhook-delivery", filter: string|table<string, any>, ...: any): record.webhook_delivery[]
---@overload fun(entity: "webhook-log", filter: string|table<string, any>, ...: any): record.webhook_log[]
---@param entity string
---@param ... any
---@return record[]
function desk.search(entity, ...) end

---The first of these, nil when there is none.
---@overload fun(entity: "approval", filter: string|table<string, any>, ...: any): record.approval?
---@overload fun(entity: "asset", filter: string|table<string, any>, ...: any): record.asset?
---@overload fun(entity: "asset-status", filter: string|table<string, any>, ...: any): record.asset_status?
---@overload fun(entity: "attachment", filter: string|table<string, any>, ...: any): record.attachment?
---@overload fun(entity: "call", filter: string|table<string, any>, ...: any): record.call?
---@overload fun(entity: "call-history", filter: string|table<string, any>, ...: any): record.call_history?
---@overload fun(entity: "call-impact", filter: string|table<string, any>, ...: any): record.call_impact?
---@overload fun(entity: "call-priority", filter: string|table<string, any>, ...: any): record.call_priority?
---@overload fun(entity: "call-reason", filter: string|table<string, any>, ...: any): record.call_reason?
---@overload fun(entity: "call-state", filter: string|table<string, any>, ...: any): record.call_state?
---@overload fun(entity: "call-status", filter: string|table<string, any>, ...: any): record.call_status?
---@overload fun(entity: "call-type", filter: string|table<string, any>, ...: any): record.call_type?
---@overload fun(entity: "call-urgency", filter: string|table<string, any>, ...: any): record.call_urgency?
---@overload fun(entity: "client", filter: string|table<string, any>, ...: any): record.client?
---@overload fun(entity: "cmdb-link", filter: string|table<string, any>, ...: any): record.cmdb_link?
---@overload fun(entity: "cmdb-link-type", filter: string|table<string, any>, ...: any): record.cmdb_link_type?
---@overload fun(entity: "configuration-item", filter: string|table<string, any>, ...: any): record.configuration_item?
---@overload fun(entity: "configuration-item-type", filter: string|table<string, any>, ...: any): record.configuration_item_type?
---@overload fun(entity: "group", filter: string|table<string, any>, ...: any): record.group?
---@overload fun(entity: "group-member", filter: string|table<string, any>, ...: any): record.group_member?
---@overload fun(entity: "identity-link", filter: string|table<string, any>, ...: any): record.identity_link?
---@overload fun(entity: "incident", filter: string|table<string, any>, ...: any): record.incident?
---@overload fun(entity: "knowledge", filter: string|table<string, any>, ...: any): record.knowledge?
---@overload fun(entity: "knowledge-state", filter: string|table<string, any>, ...: any): record.knowledge_state?
---@overload fun(entity: "location", filter: string|table<string, any>, ...: any): record.location?
---@overload fun(entity: "organization", filter: string|table<string, any>, ...: any): record.organization?
---@overload fun(entity: "partition", filter: string|table<string, any>, ...: any): record.partition?
---@overload fun(entity: "person", filter: string|table<string, any>, ...: any): record.person?
---@overload fun(entity: "person-role", filter: string|table<string, any>, ...: any): record.person_role?
---@overload fun(entity: "problem", filter: string|table<string, any>, ...: any): record.problem?
---@overload fun(entity: "request", filter: string|table<string, any>, ...: any): record.request?
---@overload fun(entity: "request-history", filter: string|table<string, any>, ...: any): record.request_history?
---@overload fun(entity: "request-state", filter: string|table<string, any>, ...: any): record.request_state?
---@overload fun(entity: "request-template", filter: string|table<string, any>, ...: any): record.request_template?
---@overload fun(entity: "request-template-task", filter: string|table<string, any>, ...: any): record.request_template_task?
---@overload fun(entity: "role", filter: string|table<string, any>, ...: any): record.role?
---@overload fun(entity: "role-partition", filter: string|table<string, any>, ...: any): record.role_partition?
---@overload fun(entity: "script-failure", filter: string|table<string, any>, ...: any): record.script_failure?
---@overload fun(entity: "service", filter: string|table<string, any>, ...: any): record.service?
---@overload fun(entity: "service-request", filter: string|table<string, any>, ...: any): record.service_request?
---@overload fun(entity: "session", filter: string|table<string, any>, ...: any): record.session?
---@overload fun(entity: "task", filter: string|table<string, any>, ...: any): record.task?
---@overload fun(entity: "task-history", filter: string|table<string, any>, ...: any): record.task_history?
---@overload fun(entity: "task-state", filter: string|table<string, any>, ...: any): record.task_state?
---@overload fun(entity: "webhook", filter: string|table<string, any>, ...: any): record.webhook?
---@overload fun(entity: "webhook-delivery", filter: string|table<string, any>, ...: any): record.webhook_delivery?
---@overload fun(entity: "webhook-log", filter: string|table<string, any>, ...: any): record.webhook_log?
---@param entity string
---@param ... any
---@return record?
function desk.first(entity, ...) end

---A new record, through its create action and its hooks.
---@overload fun(entity: "approval", values: table<string, any>): record.approval
---@overload fun(entity: "asset", values: table<string, any>): record.asset
---@overload fun(entity: "asset-status", values: table<string, any>): record.asset_status
---@overload fun(entity: "attachment", values: table<string, any>): record.attachment
---@overload fun(entity: "call", values: table<string, any>): record.call
---@overload fun(entity: "call-history", values: table<string, any>): record.call_history
---@overload fun(entity: "call-impact", values: table<string, any>): record.call_impact
---@overload fun(entity: "call-priority", values: table<string, any>): record.call_priority
---@overload fun(entity: "call-reason", values: table<string, any>): record.call_reason
---@overload fun(entity: "call-state", values: table<string, any>): record.call_state
---@overload fun(entity: "call-status", values: table<string, any>): record.call_status
---@overload fun(entity: "call-type", values: table<string, any>): record.call_type
---@overload fun(entity: "call-urgency", values: table<string, any>): record.call_urgency
---@overload fun(entity: "client", values: table<string, any>): record.client
---@overload fun(entity: "cmdb-link", values: table<string, any>): record.cmdb_link
---@overload fun(entity: "cmdb-link-type", values: table<string, any>): record.cmdb_link_type
---@overload fun(entity: "configuration-item", values: table<string, any>): record.configuration_item
---@overload fun(entity: "configuration-item-type", values: table<string, any>): record.configuration_item_type
---@overload fun(entity: "group", values: table<string, any>): record.group
---@overload fun(entity: "group-member", values: table<string, any>): record.group_member
---@overload fun(entity: "identity-link", values: table<string, any>): record.identity_link
---@overload fun(entity: "incident", values: table<string, any>): record.incident
---@overload fun(entity: "knowledge", values: table<string, any>): record.knowledge
---@overload fun(entity: "knowledge-state", values: table<string, any>): record.knowledge_state
---@overload fun(entity: "location", values: table<string, any>): record.location
---@overload fun(entity: "organization", values: table<string, any>): record.organization
---@overload fun(entity: "partition", values: table<string, any>): record.partition
---@overload fun(entity: "person", values: table<string, any>): record.person
---@overload fun(entity: "person-role", values: table<string, any>): record.person_role
---@overload fun(entity: "problem", values: table<string, any>): record.problem
---@overload fun(entity: "request", values: table<string, any>): record.request
---@overload fun(entity: "request-history", values: table<string, any>): record.request_history
---@overload fun(entity: "request-state", values: table<string, any>): record.request_state
---@overload fun(entity: "request-template", values: table<string, any>): record.request_template
---@overload fun(entity: "request-template-task", values: table<string, any>): record.request_template_task
---@overload fun(entity: "role", values: table<string, any>): record.role
---@overload fun(entity: "role-partition", values: table<string, any>): record.role_partition
---@overload fun(entity: "script-failure", values: table<string, any>): record.script_failure
---@overload fun(entity: "service", values: table<string, any>): record.service
---@overload fun(entity: "service-request", values: table<string, any>): record.service_request
---@overload fun(entity: "session", values: table<string, any>): record.session
---@overload fun(entity: "task", values: table<string, any>): record.task
---@overload fun(entity: "task-history", values: table<string, any>): record.task_history
---@overload fun(entity: "task-state", values: table<string, any>): record.task_state
---@overload fun(entity: "webhook", values: table<string, any>): record.webhook
---@overload fun(entity: "webhook-delivery", values: table<string, any>): record.webhook_delivery
---@overload fun(entity: "webhook-log", values: table<string, any>): record.webhook_log
---@param entity string
---@param ... any
---@return record
function desk.create(entity, ...) end

---How many records satisfy the filter.
---@param entity string
---@param filter? string
---@param ... any
---@return integer
function desk.count(entity, filter, ...) end
