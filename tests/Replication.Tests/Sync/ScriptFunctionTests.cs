using RedisLatency.Fixtures;

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
            "assert(os.time() > 1e9 and os.clock() >= 0) local year = tonumber(os.date('%Y'))\n"
                + "shake.call(DB, { 'SET', 'made', load('return 1')() + math.min(year, 1) .. table.concat({ 'a' }) })");

        to.Execute("GET", "made").Text.ShouldBe("2a");
    }
}
