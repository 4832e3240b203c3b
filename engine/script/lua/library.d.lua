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
