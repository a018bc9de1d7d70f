using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Sync;

public sealed class ScriptFunctionTests
{
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
    public async Task Function_ThatReachesOutOfItself_IsAnErrorAtTheKey(string code, string error)
    {
        ScanTests.Require("redis-server");
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "key", "1");

        (await SyncProcess.Refusal("scan", source.Uri, target.Uri, 4, "--function-code", code)).ShouldMatch(
            $"The function failed at RESTORE key: .*{error}");
    }

    [Theory]
    [InlineData("while true do end")]
    [InlineData("while true do pcall(function() while true do end end) end")]
    [InlineData("table.sort({ 1, 2, 3 }, function() while true do end end)")]
    public async Task Function_ThatDoesNotEnd_IsAnErrorAfterAWhile_AlsoWhereTheRunIsStopped(string code)
    {
        ScanTests.Require("redis-server");
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

    [Fact]
    public async Task Function_HasTheTimeAndTheLibrariesOfText()
    {
        ScanTests.Require("redis-server");
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
