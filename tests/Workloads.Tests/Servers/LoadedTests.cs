using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Server;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Servers;
using RedisLatency.Workloads.Tests.Engine;

namespace RedisLatency.Workloads.Tests.Servers;

/// <summary>Which keys are whose.</summary>
public sealed class LoadedTests
{
    [Theory]
    [InlineData("0-99", "", "0-99")]
    [InlineData("0-99", "0-99", "")]
    [InlineData("10-19", "0-99", "")]
    [InlineData("0-99", "20-29", "0-19 30-99")]
    [InlineData("0-99", "90-199 0-9", "10-89")]
    [InlineData("0-99", "20-59 30-39 50-69", "0-19 70-99")]
    [InlineData("50-99", "0-9 200-300", "50-99")]
    public void Range_WithoutOthers_IsWhatLiesInNone(string range, string others, string left) =>
        string.Join(' ', Range(range).Without(Ranges(others)).Select(one => $"{one.First}-{one.End - 1}")).ShouldBe(left);

    [Fact]
    public void Range_OfAnotherForm_IsAnother() =>
        Range("0-99").Without([new KeyRange("memtier", 0, 100)]).ShouldHaveSingleItem().ShouldBe(Range("0-99"));

    [Theory]
    [InlineData("ycsb")]
    [InlineData("my key:{0:D12}")]
    public void Range_ReadsBack(string form)
    {
        var range = new KeyRange(form, 7, 12);
        KeyRange.Parse(range.ToString()).ShouldBe(range);
    }

    [Theory]
    [InlineData("")]
    [InlineData("1 2")]
    [InlineData("1 0 ycsb")]
    [InlineData("-1 2 ycsb")]
    [InlineData("1 9223372036854775807 ycsb")]
    [InlineData("1 2 nonsense")]
    public void NoRange_IsNone(string text) => KeyRange.Parse(text).ShouldBeNull();

    [Fact]
    public void KeyOfOthers_IsFound_WhereverItIs_UnlessItWasNotedAsOurs()
    {
        using var server = InProcessServer.Start();
        using var control = RedisConnection.Open(RedisEndpoint.Parse(server.Endpoint), Patience.Connection);
        using var servers = KeyServers.Of(EngineTest.Plan(server.Endpoint, EngineTest.Mix("set")))[0];
        var range = new KeyRange("memtier", 0, 10_000);
        ForeignKeys.Find(servers, [range], out _).ShouldBeNull("nothing is there");

        control.Execute("SET", "memtier-9876", "mine");
        control.Execute("SET", "memtier-10000", "mine, but not in it");
        ForeignKeys.Find(servers, [range], out var isWhole).ShouldNotBeNull()
            .ShouldContain("1 of the keys that would be written are there, memtier-9876 for one");
        isWhole.ShouldBeTrue();

        LoadMarker.Write(servers, new KeyRange("memtier", 0, 9_000), "verb=load", null).ShouldBeNull();
        ForeignKeys.Find(servers, [range], out _).ShouldNotBeNull();
        LoadMarker.Write(servers, range, "verb=load", null).ShouldBeNull();
        ForeignKeys.Find(servers, [range], out _).ShouldBeNull();

        // Those that had expired by then were written again by somebody else.
        LoadMarker.Write(servers, range, "verb=load", TimeProvider.System.GetUtcNow().AddSeconds(-1)).ShouldBeNull();
        ForeignKeys.Find(servers, [range], out _).ShouldNotBeNull();
    }

    [Theory]
    [InlineData("%R~redislatency:*")]
    [InlineData("%W~redislatency:*")]
    [InlineData("")]
    public async Task NoteThatMayNotBeReadOrWritten_IsSaid_AndNothingIsLeftByAsking(string right)
    {
        await using var server = await RedisServerProcess.Start();
        using var control = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        string[] rights = ["ACL", "SETUSER", "loader", "on", ">secret", "+@all", "~user*", right];
        control.Execute([.. rights.Where(word => word.Length > 0)]);
        var endpoint = server.Uri.Replace("redis://", "redis://loader:secret@", StringComparison.Ordinal);
        using var servers = KeyServers.Of(EngineTest.Plan(endpoint, EngineTest.Mix("set")))[0];

        var problem = LoadedKeys.Problem(servers, [new KeyRange("ycsb", 0, 10)], out _);

        problem.ShouldNotBeNull().ShouldContain("redislatency:loaded");
        problem.ShouldContain("NOPERM");
        control.Execute("DBSIZE").Number.ShouldBe(0);
    }

    [Fact]
    public void ManyKeys_AreAskedForOneByOne_AndEachIsToldByItsNumber()
    {
        using var server = InProcessServer.Start();
        using var control = RedisConnection.Open(RedisEndpoint.Parse(server.Endpoint), Patience.Connection);
        for (var key = 0; key < 20_000; key += 1_000)
            control.Execute("SET", $"memtier-{key.ToString(CultureInfo.InvariantCulture)}", "v");
        using var servers = KeyServers.Of(EngineTest.Plan(server.Endpoint, EngineTest.Mix("set")))[0];
        var found = new List<long>();

        servers.ForEach(
            "UNLINK", KeyForm.Parse("memtier"), Enumerable.Range(0, 15_000).Select(key => (long)key),
            (index, _) => found.Add(index));

        found.ShouldBe(Enumerable.Range(0, 15).Select(key => key * 1_000L));
        servers.CountKeys().ShouldBe(5);
    }

    private static IEnumerable<KeyRange> Ranges(string text) =>
        text.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(Range);

    private static KeyRange Range(string text)
    {
        var (first, last) = text.Split('-') is [var from, var to]
            ? (long.Parse(from, CultureInfo.InvariantCulture), long.Parse(to, CultureInfo.InvariantCulture))
            : throw new FormatException(text);
        return new KeyRange("ycsb", first, last - first + 1);
    }
}
