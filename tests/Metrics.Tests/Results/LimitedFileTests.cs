using RedisLatency.Metrics.Results;

namespace RedisLatency.Metrics.Tests.Results;

public sealed class LimitedFileTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(99)]
    [InlineData(100)]
    public void FileWithinTheLimit_IsReadWhole(int length)
    {
        var content = Enumerable.Range(0, length).Select(number => (byte)number).ToArray();

        LimitedFile.ReadAll(new MemoryStream(content), most: 100).ShouldBe(content);
    }

    [Fact]
    public void FileBeyondTheLimit_IsRefused() =>
        Should.Throw<IOException>(() => LimitedFile.ReadAll(new MemoryStream(new byte[101]), most: 100))
            .Message.ShouldBe("more than 100 bytes are in it; is it the right file?");

    [Fact]
    public void DeviceWithoutAnEnd_IsReadNoFurtherThanTheLimit()
    {
        Assert.SkipUnless(File.Exists("/dev/zero"), "there is no /dev/zero");

        Should.Throw<IOException>(() => LimitedFile.ReadAll("/dev/zero", 1 << 20)).Message
            .ShouldContain("more than 1,048,576 bytes");
    }
}
