using System.Globalization;
using System.Text;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class KeyFormTests
{
    // What site.ycsb.Utils.fnvhash64 of YCSB 0.18 makes of them.
    [Theory]
    [InlineData(0, "user6284781860667377211")]
    [InlineData(1, "user8517097267634966620")]
    [InlineData(2, "user1820151046732198393")]
    [InlineData(3, "user4052466453699787802")]
    [InlineData(4, "user3232700585171816769")]
    [InlineData(1000, "user5952875239596136740")]
    [InlineData(999_999, "user2744965632448235251")]
    [InlineData((1L << 31) - 1, "user627943977067101855")]
    [InlineData(1L << 31, "user5860980763039959109")]
    [InlineData(7_679_999_999, "user2849203370649213494")]
    [InlineData(10_000_000_000, "user1201321332300452516")]
    [InlineData(1L << 53, "user6315392264390716251")]
    [InlineData((1L << 53) + 1, "user8486486863911627580")]
    [InlineData(KeySpace.HighestIndex, "user8289619981819972355")]
    public void Ycsb_IsWhatYcsbPrints(long index, string key) => Written("ycsb", index).ShouldBe(key);

    [Theory]
    [InlineData("memtier", 0, "memtier-0")]
    [InlineData("memtier", 10_000_000, "memtier-10000000")]
    [InlineData("memtier", 7_680_000_000, "memtier-7680000000")]
    [InlineData("redis-benchmark", 0, "key:000000000000")]
    [InlineData("redis-benchmark", 12, "key:000000000012")]
    [InlineData("redis-benchmark", 999_999_999_999, "key:999999999999")]
    [InlineData("redis-benchmark", 1_000_000_000_000, "key:1000000000000")]
    [InlineData("ycsb-ordered", 42, "user42")]
    [InlineData("ycsb-ordered:12", 42, "user000000000042")]
    [InlineData("ycsb:24", 1, "user000008517097267634966620")]
    [InlineData("ycsb:5", 1, "user8517097267634966620")]
    [InlineData("user:{0:D12}", 42, "user:000000000042")]
    [InlineData("{0}", 42, "42")]
    [InlineData("{0:D}", 0, "0")]
    [InlineData("{0:d3}", 12345, "12345")]
    [InlineData("a{0:D2}b", 7, "a07b")]
    [InlineData("{{user{0}}}:{0:X8}", 255, "{user255}:000000FF")]
    [InlineData("{0:x}", 7_680_000_000, "1c9c38000")]
    [InlineData("{0:X}", 0, "0")]
    [InlineData("schlüssel:{0}", 1, "schlüssel:1")]
    [InlineData("}}{0}{{", 5, "}5{")]
    [InlineData("{0:D30}", KeySpace.HighestIndex, "000000000004611686018427387903")]
    public void Write_OfEveryForm_IsByteForByteWhatItsToolWrites(string form, long index, string key) =>
        Written(form, index).ShouldBe(key);

    [Theory]
    [InlineData("memtier", "memtier-{0}")]
    [InlineData("redis-benchmark", "key:{0:D12}")]
    [InlineData("x{0:D7}y", "x{0:D7}y")]
    [InlineData("{0}/{0:D20}", "{0}/{0:D20}")]
    [InlineData("{0:X5}", "{0:X5}")]
    public void Write_AtEveryPowerOfTenAndTwo_IsWhatTheFrameworkFormats(string form, string format)
    {
        var composite = CompositeFormat.Parse(format);
        foreach (var index in Edges())
            Written(form, index).ShouldBe(string.Format(CultureInfo.InvariantCulture, composite, index));
    }

    [Fact]
    public void Ycsb_OfTheOneHashThatJavaLeavesNegative_PrintsItsSignAsJavaDoes()
    {
        var key = new byte[64];

        string Of(int padding) =>
            Encoding.UTF8.GetString(key, 0, new HashedKeyForm(padding).WriteHash(long.MinValue, key));

        Of(1).ShouldBe("user-9223372036854775808");
        Of(22).ShouldBe("user00-9223372036854775808");
    }

    [Theory]
    [InlineData("ycsb")]
    [InlineData("memtier")]
    [InlineData("redis-benchmark")]
    [InlineData("k:{0:D12}")]
    [InlineData("{{{0}}}:{0:x4}")]
    [InlineData("key:{{{0:T}}}:{0:D12}")]
    [InlineData("literal:key:__rand_int__")]
    public void Write_AllocatesNothing_AndStaysWithinItsMaximumLength(string text)
    {
        var form = KeyForm.Parse(text);
        var destination = new byte[form.MaximumLength];
        form.Write(1, destination);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var index = 1L; index > 0 && index <= KeySpace.HighestIndex; index = (index * 3) + 1)
            form.Write(index, destination);
        form.Write(KeySpace.HighestIndex, destination);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Theory]
    [InlineData("", "a key form is needed: ycsb, ycsb-ordered")]
    [InlineData("YCSB", "a key form is needed")]
    [InlineData("memtier:5", "a key form is needed")]
    [InlineData("user:", "a key form is needed")]
    [InlineData("ycsb:", "the zero padding after ycsb: is a number of characters from 1 to 100")]
    [InlineData("ycsb:0", "the zero padding after ycsb: is")]
    [InlineData("ycsb:-5", "the zero padding after ycsb: is")]
    [InlineData("ycsb-ordered:101", "the zero padding after ycsb-ordered: is")]
    [InlineData("ycsb:99999999999", "the zero padding after ycsb: is")]
    [InlineData("a{0", "the { at character 2 has no partner")]
    [InlineData("a{0}}", "the } at character 5 has no partner")]
    [InlineData("}", "the } at character 1 has no partner")]
    [InlineData("{}", "{} is not an index: {0}, {0:D12}, {0:X8}, {0:x8} or {0:T} is")]
    [InlineData("{1}", "{1} is not an index")]
    [InlineData("{0:D101}", "{0:D101} is not an index")]
    [InlineData("{0:D0}", "{0:D0} is not an index")]
    [InlineData("{0:N3}", "{0:N3} is not an index")]
    [InlineData("{0,5}", "{0,5} is not an index")]
    [InlineData("{user}:{0}", "{user} is not an index: {0}, {0:D12}, {0:X8}, {0:x8} or {0:T} is, with")]
    [InlineData("{0:T5}", "{0:T5} is not an index")]
    [InlineData("literal:", "after literal: stands a key of 1 to 1024 bytes")]
    [InlineData("literal:a\tb", "after literal: stands a key")]
    [InlineData("{{user}}", "{0} is needed where the index goes")]
    public void Problem_OfAHostileText_NamesWhatIsWanted(string text, string wanted)
    {
        KeyForm.Problem(text).ShouldNotBeNull().ShouldStartWith(wanted);
        Should.Throw<FormatException>(() => KeyForm.Parse(text)).Message.ShouldContain(wanted);
    }

    [Fact]
    public void Problem_OfAnEndlessKey_NamesTheLimit() =>
        KeyForm.Problem(new string('k', 2000) + "{0}").ShouldNotBeNull().ShouldContain("1024 bytes");

    [Fact]
    public void Literal_IsOneKeyForEveryIndex_WhateverIsInIt()
    {
        Written("literal:key:{tag}:__rand_int__", 7).ShouldBe("key:{tag}:__rand_int__");
        Written("literal:key:{tag}:__rand_int__", 8).ShouldBe("key:{tag}:__rand_int__");
    }

    /// <summary>As few keys as a cluster has nodes are not all on the first; as many as slots have one each.</summary>
    [Fact]
    public void Tags_SpreadKeysOverAllSlots()
    {
        const int Slots = 16384;
        var slots = Enumerable.Range(0, Slots).Select(index =>
            (int)KeySlot.Of(Encoding.UTF8.GetBytes(Written("key:{{{0:T}}}:{0:D12}", index)))).ToList();

        slots.Distinct().Count().ShouldBe(Slots);
        slots.Take(30).GroupBy(slot => slot * 3 / Slots).ShouldAllBe(node => node.Count() >= 9);
    }

    private static string Written(string text, long index)
    {
        var form = KeyForm.Parse(text);
        var key = new byte[form.MaximumLength];
        return Encoding.UTF8.GetString(key, 0, form.Write(index, key));
    }

    private static IEnumerable<long> Edges()
    {
        for (var power = 1L; power <= KeySpace.HighestIndex / 10; power *= 10)
        {
            yield return power - 1;
            yield return power;
            yield return (power * 10) - 7;
        }

        for (var bit = 0; bit < 62; bit++)
            yield return 1L << bit;
        yield return KeySpace.HighestIndex;
    }
}
