using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Filters;

public sealed class ScriptFunctionTests
{
    private const string Twice = "shake.call(DB, ARGV) ARGV[2] = 'copy:' .. ARGV[2] shake.call(DB, ARGV)";

    [Theory]
    [InlineData("os.exit(0)", "attempt to call a nil value \\(field 'exit'\\)")]
    [InlineData("os.execute('exit 1')", "attempt to call a nil value \\(field 'execute'\\)")]
    [InlineData("io.open('/dev/null')", "attempt to index a nil value \\(global 'io'\\)")]
    [InlineData("dofile('/dev/null')", "attempt to call a nil value \\(global 'dofile'\\)")]
    [InlineData("loadfile('/dev/null')", "attempt to call a nil value \\(global 'loadfile'\\)")]
    [InlineData("require('os').exit(0)", "attempt to call a nil value \\(global 'require'\\)")]
    [InlineData("package.loaded.os.exit(0)", "attempt to index a nil value \\(global 'package'\\)")]
    [InlineData("debug.getregistry()", "attempt to index a nil value \\(global 'debug'\\)")]
    [InlineData("coroutine.wrap(print)", "attempt to index a nil value \\(global 'coroutine'\\)")]
    [InlineData("assert(load(string.dump(function() end)))", "attempt to load a binary chunk")]
    [InlineData("setmetatable({}, { __gc = print })", "__gc is not available")]
    [InlineData("error(setmetatable({}, { __tostring = error }))", "its error is a table")]
    [InlineData("error(setmetatable({}, { __tostring = function() while true do end end }))", "its error is a table")]
    [InlineData(
        "getmetatable('').__tostring = error tostring = nil setmetatable(_G, { __index = error }) "
            + "shake.log('x') shake.call(DB, ARGV) error('after all')",
        "after all")]
    [InlineData("\nshake.call(DB, { 'SET', KEYS[1], true })", ":2: shake.call was given a boolean as a word")]
    [InlineData("shake.call(1.7, ARGV)", "given 1.7 as a database")]
    [InlineData("shake.call(0/0, ARGV)", "given NaN as a database")]
    [InlineData("shake.call(-1, ARGV)", "given -1 as a database")]
    [InlineData("shake.call(1e20, ARGV)", "given 1E\\+20 as a database")]
    [InlineData("ARGV[5] = 'AUTO' shake.call(DB, ARGV)", "a RESTORE with AUTO, which means nothing there")]
    [InlineData("ARGV[5] = 'FREQ' shake.call(DB, ARGV)", "a RESTORE with FREQ, which means nothing there")]
    [InlineData("ARGV[3] = '-1' shake.call(DB, ARGV)", "a RESTORE whose time to live is no number")]
    public async Task Function_ThatReachesOutOfItself_IsAnErrorAtTheKey(string code, string error)
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "key", "1");

        (await SyncProcess.Refusal("scan", source.Uri, target.Uri, 4, "--function-code", code)).ShouldMatch(
            $"The function failed at RESTORE key: .*{error}");
    }

    [Theory]
    [InlineData("local s = string.rep('x', 60000000) local t = string.rep('x', 500000000)", "it takes")]
    [InlineData("string.rep('x', 1 << 30)", "it takes")]
    // 19 MiB of one call, and 496 of the next.
    [InlineData(
        "local s = string.rep('x', 20000000) shake.call(0, {'DEL', s}) local t = {'DEL'} for i = 2, 27 do t[i] = s end "
        + "shake.call(0, t)",
        "was given")]
    public async Task Function_ThatTakesMuchMemory_IsAnError(string code, string what)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1");

        (await SyncProcess.Refusal("scan", pair.Source.Uri, pair.Target.Uri, 4, "--function-code", code))
            .ShouldMatch($"The function failed at RESTORE key: .*{what} more than 512 MiB");
    }

    [Theory]
    [InlineData("while true do end")]
    [InlineData("while true do pcall(function() while true do end end) end")]
    [InlineData("table.sort({ 1, 2, 3 }, function() while true do end end)")]
    public async Task Function_ThatDoesNotEnd_IsAnErrorAfterAWhile_AlsoWhereTheRunIsStopped(string code)
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "key", "1");

        await using var process = SyncProcess.Start(
            "scan", source.Uri, target.Uri, "--function-code", $"shake.log('begins') {code}");
        await process.Until("it runs", () => process.Errors.ToString().Contains("begins", StringComparison.Ordinal));
        var (exitCode, _) = await process.EndBy("INT").End(process);

        exitCode.ShouldBe(4, process.ToString());
        process.Errors.ToString().ShouldMatch(
            "The function failed at RESTORE key: .*:1: it has run for more than 5 s");
    }

    // No instruction of Lua is carried out within a call of its libraries, where it could be ended.
    [Fact]
    public async Task Function_WithinACallThatDoesNotEnd_EndsTheRunWithItsResults()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1");

        await using var process = ServiceProcess.Start(
            "Sync",
            [
                "scan", "--source", pair.Source.Uri, "--destination", pair.Target.Uri, "--format", "json",
                "--live", "none", "--function-code", "shake.log('begins') string.rep('', math.maxinteger)",
            ]);
        await process.Until("it runs", () => process.Errors.ToString().Contains("begins", StringComparison.Ordinal));
        var (exitCode, record) = await process.EndBy("TERM").End(process);

        exitCode.ShouldBe(4, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        process.Errors.ToString().ShouldContain(
            "The function failed at RESTORE key: it has run for more than 5 s, within a call that cannot be ended");
    }

    [Fact]
    public async Task Function_ThatGuardsItsGlobals_IsStillToldOfTheNextKey()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("MSET", "a", "1", "b", "1");

        await SyncProcess.Run(
            "scan", pair.Source.Uri, pair.Target.Uri, 0, "--function-code",
            "shake.call(DB, ARGV) DB = nil setmetatable(_G, { __newindex = error, __index = error })");

        KeyContents.CountIn(pair.To).ShouldBe(2);
    }

    // As RedisShake's Lua writes them, which knows no whole numbers beside others.
    [Theory]
    [InlineData("1795845508799123 * 2 / 2", "1795845508799123")]
    [InlineData("2 ^ 53", "9007199254740992")]
    [InlineData("tostring(2 ^ 53)", "9007199254740992")]
    [InlineData("9007199254740993", "9007199254740993")]
    [InlineData("5.0", "5")]
    [InlineData("1795845508.799123", "1795845508.799123")]
    [InlineData("-1 / 0", "-inf")]
    public async Task Function_ThatPassesANumber_PassesAllItsDigits(string number, string text)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1");

        await SyncProcess.Run(
            "scan", pair.Source.Uri, pair.Target.Uri, 0, "--function-code",
            $"shake.call(DB, {{ 'SET', 'key', {number} }})");

        pair.To.Execute("GET", "key").Text.ShouldBe(text);
    }

    [Fact]
    public async Task Function_ThatPassesNothingOn_IsCountedAsAFilter()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("MSET", "a", "1", "b", "1");

        await using var process = SyncProcess.Start(
            "scan", pair.Source.Uri, pair.Target.Uri, "--function-code", "if KEYS[1] == 'x' then shake.call(DB, ARGV) end");
        var (_, record) = await process.End().End(process);

        (record.Synced("read"), record.Synced("filtered")).ShouldBe((2, 2));
        record["verdict"]!.ToJsonString().ShouldContain("The function or the filters left out all that was read.");
    }

    [Fact]
    public async Task Function_ThatRestores_SetsWhatTravelsBesideTheValue()
    {
        await using var pair = await SyncPair.Start(target: ["--maxmemory-policy", "allkeys-lru"]);
        pair.From.Execute("SET", "key", "1", "PX", "600000");

        await SyncProcess.Run(
            "scan", pair.Source.Uri, pair.Target.Uri, 0, "--function-code",
            "shake.call(DB, { 'RESTORE', 'key', '4000000000000', ARGV[4], 'REPLACE', 'ABSTTL', 'idletime', '5000' })");

        pair.To.Execute("PEXPIRETIME", "key").Number.ShouldBe(4_000_000_000_000);
        pair.To.Execute("OBJECT", "IDLETIME", "key").Number.ShouldBeGreaterThanOrEqualTo(5000);
    }

    // A value in parts: DEL, and RPUSH five times.
    [Theory]
    [InlineData("skip", Twice, "long", 1, 5000, 1)]
    [InlineData("skip", Twice, "copy:long", 5000, 1, 1)]
    [InlineData("rewrite", Twice, "copy:long", 5000, 5000, 0)]
    [InlineData("skip", "if CMD ~= 'DEL' then shake.call(DB, ARGV) end", "long", 1, 0, 1)]
    [InlineData("skip", "if CMD ~= 'DEL' then shake.call(DB, ARGV) end", "copy:long", 5000, 1, 0)]
    [InlineData("rewrite", "if CMD ~= 'DEL' then shake.call(DB, ARGV) end", "long", 5000, 0, 0)]
    [InlineData("rewrite", "if CMD == 'DEL' then shake.call(DB, { 'LPUSH', 'copy:long', 'x' }) end shake.call(DB, ARGV)",
        "copy:long", 5000, 2, 0)]
    [InlineData("skip", "if CMD == 'DEL' then shake.call(DB, { 'LPUSH', 'copy:long', 'x' }) end shake.call(DB, ARGV)",
        "copy:long", 5000, 2, 0)]
    public async Task Function_DecidesWhichKeysOfALongValueThereAre_AndOnExistingOfEach(
        string onExisting, string code, string there, int values, int copies, int skipped)
    {
        await using var pair = await SyncPair.Start();
        foreach (var key in (string[])["a", "long", "z"])
            pair.From.Execute("EVAL", "for i = 1, 5000 do redis.call('RPUSH', KEYS[1], redis.sha1hex(i)) end", "1", key);
        pair.From.Execute("SAVE");
        pair.To.Execute("RPUSH", there, "ours");

        await using var process = SyncProcess.StartFile(
            "rdb", Path.Combine(pair.Source.Folder, "dump.rdb"), pair.Target.Uri, "--big-value", "1KiB",
            "--on-existing", onExisting, "--function-code", $"if KEYS[1] == 'long' then {code} else shake.call(DB, ARGV) end");
        var (exit, record) = await process.End().End(process);

        exit.ShouldBe(0, process.ToString());
        Lengths("long", "copy:long", "a", "z").ShouldBe([values, copies, 5000, 5000]);
        record.Synced("skipped").ShouldBe(skipped);

        IEnumerable<long> Lengths(params string[] keys) => keys.Select(key => pair.To.Execute("LLEN", key).Number);
    }

    [Fact]
    public async Task Function_HasTheTimeAndTheLibrariesOfText()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "key", "1");

        await SyncProcess.Run(
            "scan", source.Uri, target.Uri, 0, "--function-code",
            "print('seen') assert(os.time() > 1e9 and os.clock() >= 0) local year = tonumber(os.date('%Y'))\n"
                + "shake.call(DB, { 'SET', 'made', load('return 1')() + math.min(year, 1) .. table.concat({ 'a' }) })");

        to.Execute("GET", "made").Text.ShouldBe("2a");
    }
}
