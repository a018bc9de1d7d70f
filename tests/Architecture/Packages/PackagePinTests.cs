using System.Xml.Linq;
using RedisLatency.Fixtures;

namespace RedisLatency.Architecture.Packages;

public sealed class PackagePinTests
{
    [Fact]
    public void Pins_StandBelowTheirReason()
    {
        var unexplained = XDocument.Load(RepositoryRoot.Combine("Directory.Packages.props"))
            .Descendants("PackageVersion")
            .Where(pin => !pin.NodesBeforeSelf().OfType<XComment>().Any())
            .Select(pin => pin.Attribute("Include")!.Value);

        unexplained.ShouldBeEmpty();
    }

    [Fact]
    public void Versions_StandInOnePlace()
    {
        var elsewhere = Directory.EnumerateFiles(RepositoryRoot.Path, "*.csproj", SearchOption.AllDirectories)
            .Where(file => XDocument.Load(file).Descendants("PackageReference")
                .Any(package => package.Attribute("Version") is not null || package.Attribute("VersionOverride") is not null));

        elsewhere.ShouldBeEmpty();
    }
}
