using System.Text;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Tests.Engine;

namespace RedisLatency.Workloads.Tests.Commands;

public sealed class CommandTemplateTests
{
    [Theory]
    [InlineData("get", "*2|$3|GET|$2|k5|")]
    [InlineData("set", "*3|$3|SET|$2|k5|$3|vvv|")]
    [InlineData("mget:3", "*4|$4|MGET|$2|k5|$2|k0|$2|k1|")]
    [InlineData("mset:2", "*5|$4|MSET|$2|k5|$3|vvv|$2|k0|$3|vvv|")]
    [InlineData("setrange:7", "*4|$8|SETRANGE|$2|k5|$1|7|$3|vvv|")]
    [InlineData("getrange:9", "*4|$8|GETRANGE|$2|k5|$1|0|$1|9|")]
    [InlineData("setex:60", "*4|$5|SETEX|$2|k5|$2|60|$3|vvv|")]
    [InlineData("getex:60", "*4|$5|GETEX|$2|k5|$2|EX|$2|60|")]
    [InlineData("wait:2", "*3|$4|WAIT|$1|2|$4|1000|")]
    [InlineData("multi", "*1|$5|MULTI|*3|$3|SET|$2|k5|$3|vvv|*1|$4|EXEC|")]
    public void BuiltIn_IsEncodedByteForByte(string name, string expected) =>
        Encode(BuiltInCommand.Named(name)).ShouldBe(expected);

    [Theory]
    [InlineData("AUTH secret", "AUTH ***")]
    [InlineData("auth user secret=3", "auth ***=3")]
    [InlineData("HELLO 3 AUTH user secret", "HELLO 3 AUTH ***")]
    [InlineData("'AUTH' secret", "'AUTH ***")]
    [InlineData("PING ; AUTH user secret=3", "PING ; AUTH ***=3")]
    [InlineData("CONFIG SET requirepass secret", "CONFIG SET requirepass ***")]
    [InlineData("config set maxmemory 1 masterauth secret", "config set maxmemory 1 masterauth ***")]
    [InlineData("ACL SETUSER ann on >secret +@all", "ACL SETUSER ann on ***")]
    [InlineData("MIGRATE h 1 key 0 9 COPY AUTH secret", "MIGRATE h 1 key 0 9 COPY AUTH ***")]
    [InlineData("MIGRATE h 1 key 0 9 AUTH2 ann secret", "MIGRATE h 1 key 0 9 AUTH2 ***")]
    [InlineData("SENTINEL SET one auth-pass secret", "SENTINEL SET one auth-pass ***")]
    [InlineData("SENTINEL CONFIG SET sentinel-pass secret", "SENTINEL CONFIG SET sentinel-pass ***")]
    public void Password_IsShownNowhere_AndNotSent(string line, string shown)
    {
        CommandSyntax.Mask(line).ShouldBe(shown);

        CommandSyntax.Create().Read(line).Problem.ShouldNotBeNull().ShouldStartWith("there is a password in it");
    }

    [Theory]
    [InlineData("SET AUTH secret=2")]
    [InlineData("GET __key__=0.5")]
    [InlineData("CONFIG SET maxmemory 1")]
    [InlineData("ACL SETUSER ann on +@all")]
    [InlineData("ACL WHOAMI")]
    public void CommandWithoutAPassword_IsShownAndSent(string line)
    {
        CommandSyntax.Mask(line).ShouldBe(line);
        CommandSyntax.Create().Read(line).Problem.ShouldBeNull();
    }

    [Fact]
    public void PasswordInEscapedWords_IsNotSent() =>
        CommandText.TryRead(@"""\x41UTH"" secret", out _, out _).ShouldBeFalse();

    [Theory]
    [InlineData("SET user:__key__:x __data__ EX 10", "*5|$3|SET|$9|user:k5:x|$3|vvv|$2|EX|$2|10|")]
    [InlineData("LPUSH list __rand_int__", "*3|$5|LPUSH|$4|list|$12|000000000000|")]
    [InlineData("ECHO 'two words' \"it's\" ''", "*4|$4|ECHO|$9|two words|$4|it's|$0||")]
    [InlineData(@"MSET ""\x3b"" ""\x5f_key__""", "*3|$4|MSET|$1|;|$7|__key__|")]
    [InlineData(@"SET ""k\""__key__"" ""a\x41\\é""", @"*3|$3|SET|$4|k""k5|$5|aA\é|")]
    [InlineData(@"SET 'it\'s' 'a\nb' ""\d\n""", "*4|$3|SET|$4|it's|$4|a\\nb|$2|d\n|")]
    [InlineData("ECHO grün", "*2|$4|ECHO|$5|grün|")]
    public void CommandLine_IsEncodedByteForByte(string line, string expected) =>
        Encode(CommandTemplate.Parse(line)).ShouldBe(expected);

    [Theory]
    [InlineData(123_456_789_012, "123456789012")]
    [InlineData(1_234_567_890_123, "1234567890123")]
    [InlineData(KeySpace.HighestIndex, "4611686018427387903")]
    public void Number_KeepsAllItsDigits(long number, string digits)
    {
        var inputs = new DrawnKeys { Space = new KeySpace(number, 1), Form = KeyForm.Parse("memtier") }
            .Create(new WorkerShare(0, 1));
        var buffer = new RequestBuffer(16);

        CommandTemplate.Parse("ECHO __rand_int__").Write(buffer, inputs, 0, 0);

        Encoding.UTF8.GetString(buffer.Written).Split("\r\n")[4].ShouldBe(digits);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(9)]
    [InlineData(10)]
    [InlineData(99)]
    [InlineData(100)]
    [InlineData(4096)]
    [InlineData(100_000)]
    public void Argument_OfAnyLength_HasItsLengthBeforeIt(int length) =>
        Encode(BuiltInCommand.Named("set"), length)
            .ShouldBe($"*3|$3|SET|$2|k5|${length}|{new string('v', length)}|");

    [Theory]
    [InlineData(0)]
    [InlineData(9)]
    [InlineData(99)]
    [InlineData(4096)]
    public void Value_ShorterThanTheLongest_HasItsOwnLengthBeforeIt(int length) =>
        Encode(BuiltInCommand.Named("set"), length, longestValue: 100_000)
            .ShouldBe($"*3|$3|SET|$2|k5|${length}|{new string('v', length)}|");

    [Theory]
    [InlineData("", "no command")]
    [InlineData("   ", "no command")]
    [InlineData("GET __key__ ;", "no command")]
    [InlineData("GET __kay__", "'__kay__' is no placeholder")]
    [InlineData("GET 'a", "a quote (') is not closed")]
    [InlineData("client reply off", "client reply off is not answered")]
    [InlineData("SET __key__ 1 ; CLIENT REPLY SKIP ; PING", "CLIENT REPLY SKIP is not answered")]
    public void CommandLine_ThatIsWrong_IsRefusedWithTheReason(string line, string reason) =>
        Should.Throw<FormatException>(() => CommandTemplate.Parse(line)).Message.ShouldContain(reason);

    [Theory]
    [InlineData("got", "'got' is no operation")]
    [InlineData("mget:0", "a whole number from 1")]
    [InlineData("mget:x", "a whole number from 1")]
    public void BuiltIn_ThatIsNone_IsRefusedWithTheReason(string name, string reason)
    {
        BuiltInCommand.TryParse(name, out _, out var problem).ShouldBeFalse();
        problem!.ShouldContain(reason);
    }

    [Fact]
    public void Scan_ReadsFromOneToTheLongestRunOfNeighbours()
    {
        var scan = BuiltInCommand.Named("scan:4");
        var inputs = new PlainInputs(10);
        var counts = new HashSet<int>();
        for (var turn = 0; turn < 200; turn++)
        {
            var buffer = new RequestBuffer();
            scan.Write(buffer, inputs, 0, 5);
            var parts = Encoding.UTF8.GetString(buffer.Written).Split("\r\n");
            var keys = parts.Where(part => part.StartsWith('k')).ToArray();
            keys.ShouldBe(Enumerable.Range(5, keys.Length).Select(number => $"k{number}"));
            parts[0].ShouldBe($"*{keys.Length + 1}");
            counts.Add(keys.Length);
        }

        counts.ShouldBe([1, 2, 3, 4], ignoreOrder: true);
    }

    [Fact]
    public void Mix_GivesEachOperationItsShare()
    {
        var mix = new OperationMix(
        [
            new("never", BuiltInCommand.Named("get"), 0), new("often", BuiltInCommand.Named("get"), 3),
            new("seldom", BuiltInCommand.Named("set")), new("last", BuiltInCommand.Named("del"), 0),
        ]);
        var inputs = new PlainInputs(10);
        var counts = new int[4];
        for (var turn = 0; turn < 40_000; turn++)
            counts[mix.Next(inputs, turn)]++;

        (counts[0], counts[3]).ShouldBe((0, 0));
        // Five standard deviations of a binomial with 40,000 draws.
        counts[1].ShouldBeInRange(30_000 - 433, 30_000 + 433);
    }

    [Theory]
    [InlineData("get", 32, 4L * Foreign)]
    [InlineData("mget:9", 32, 9L * Foreign)]
    [InlineData("scan:9", 32, 9L * Foreign)]
    [InlineData("mget:9", 20 << 20, 9L * (20 << 20))]
    [InlineData("mget:100", 32, 1L << 30)]
    public void RepliesAllowed_FollowWhatWasWrittenAndHowManyKeysAreAskedFor(string name, int longest, long bytes)
    {
        var mix = new OperationMix([new("ping", BuiltInCommand.Named("ping")), new(name, BuiltInCommand.Named(name))]);

        var replies = mix.RepliesAllowed(longest);

        replies.MaxBulkLength.ShouldBe(Math.Max(longest, Foreign));
        // Each value has a header and an end.
        ((long)replies.MaxFrameLength).ShouldBeInRange(bytes, Math.Min(bytes + 1024, 1 << 30));
    }

    [Fact]
    public void CyclicMix_TakesTurns()
    {
        var mix = new OperationMix(
            [new("set", BuiltInCommand.Named("set"), 1), new("get", BuiltInCommand.Named("get"), 3)], isCyclic: true);

        Enumerable.Range(0, 8).Select(turn => mix.Next(new PlainInputs(1), turn)).ShouldBe([0, 1, 1, 1, 0, 1, 1, 1]);
    }

    // As long as a value may be that this run has not written.
    private const int Foreign = 16 << 20;

    private static string Encode(CommandTemplate template, int valueLength = 3, int? longestValue = null)
    {
        var buffer = new RequestBuffer(16);
        template.Write(buffer, new PlainInputs(1000, valueLength, longestValue), 0, 5);
        return Encoding.UTF8.GetString(buffer.Written).Replace("\r\n", "|", StringComparison.Ordinal);
    }
}
