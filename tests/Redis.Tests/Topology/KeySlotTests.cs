using System.Text;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Topology;

public sealed class KeySlotTests
{
    /// <summary>The first is the check value of CRC-16/XMODEM; the others are what CLUSTER KEYSLOT answers.</summary>
    [Theory]
    [InlineData("123456789", 0x31C3)]
    [InlineData("", 0)]
    [InlineData("a", 0x7C87)]
    [InlineData("A", 0x58E5)]
    public void Crc16_HasItsVectors(string text, int expected) =>
        ((int)KeySlot.Crc16(Encoding.ASCII.GetBytes(text))).ShouldBe(expected);

    [Theory]
    [InlineData("", 0)]
    [InlineData("foo", 12182)]
    [InlineData("bar", 5061)]
    [InlineData("hello", 866)]
    [InlineData("somekey", 11058)]
    [InlineData("foo{hash_tag}", 2515)]
    [InlineData("bar{hash_tag}", 2515)]
    public void Slot_IsThatOfTheServers(string key, int slot) => KeySlot.Of(Encoding.UTF8.GetBytes(key)).ShouldBe(slot);

    [Theory]
    [InlineData("{user1000}.following", "user1000")]
    [InlineData("foo{}{bar}", "foo{}{bar}")]
    [InlineData("foo{{bar}}zap", "{bar")]
    [InlineData("foo{bar}{zap}", "bar")]
    [InlineData("foo{bar", "foo{bar")]
    [InlineData("foo}bar{", "foo}bar{")]
    [InlineData("}{a}", "a")]
    [InlineData("{}", "{}")]
    [InlineData("{a}", "a")]
    [InlineData("", "")]
    public void Tag_DecidesWhereThereIsOne(string key, string hashed)
    {
        Encoding.UTF8.GetString(KeySlot.Hashed(Encoding.UTF8.GetBytes(key))).ShouldBe(hashed);
        KeySlot.Of(Encoding.UTF8.GetBytes(key)).ShouldBe(KeySlot.Crc16(Encoding.UTF8.GetBytes(hashed)) % 16384);
    }

    [Fact]
    public void Tags_AimAtEverySlot()
    {
        for (var slot = 0; slot < KeySlot.Count; slot++)
        {
            KeySlot.Of(Encoding.UTF8.GetBytes($"key:7:{{{SlotTags.Of(slot)}}}:x")).ShouldBe(slot);
            SlotTags.Bytes(slot).Length.ShouldBeInRange(1, 4);
        }
    }

    [Fact]
    public void Slots_OfRandomKeys_AreThoseOfTheBitwiseDefinition()
    {
        var random = new Random(1);
        var key = new byte[64];
        for (var i = 0; i < 10_000; i++)
        {
            var bytes = key.AsSpan(0, random.Next(key.Length));
            random.NextBytes(bytes);
            KeySlot.Crc16(bytes).ShouldBe(Bitwise(bytes));
        }
    }

    private static ushort Bitwise(ReadOnlySpan<byte> bytes)
    {
        var remainder = 0;
        foreach (var one in bytes)
        {
            for (var bit = 7; bit >= 0; bit--)
            {
                var carry = ((remainder >> 15) ^ (one >> bit)) & 1;
                remainder = ((remainder << 1) & 0xFFFF) ^ (carry * 0x1021);
            }
        }

        return (ushort)remainder;
    }
}
